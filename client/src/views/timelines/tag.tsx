// The posts with a tag; with others besides, all of several, or without some.
import { useState } from 'preact/hooks'
import type { Tag } from '#entities/tag.ts'
import { withQuery } from '../../api/client.ts'
import { formatShort } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { useQuery } from '../../data/query.ts'
import { Field } from '../../parts/controls/field.tsx'
import { Form } from '../../parts/controls/form.tsx'
import { Feed } from '../../parts/feed/feed.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { FollowTagButton } from '../../parts/tag/follow-tag-button.tsx'
import { peopleOf } from '../../parts/tag/tag-list.tsx'
import type { Params } from '../../router/match.ts'
import { address, navigate } from '../../router/router.ts'
import * as sources from './sources.ts'
import css from './tag.module.css'

const modes = ['any', 'all', 'none'] as const

function readOthers(query: URLSearchParams): sources.OtherTags {
  const [any = [], all = [], none = []] = modes.map((mode) => query.getAll(`${mode}[]`))
  return { any, all, none }
}

export function TagTimeline({ params: { tag = '' } }: { params: Params }) {
  const { data } = useQuery<Tag>(`/api/v1/tags/${encodeURIComponent(tag)}`)
  const others = readOthers(address.peek().searchParams)
  const people = data && peopleOf(data)
  return (
    <>
      <PageHeading title={`#${tag}`}>
        {data && <FollowTagButton key={String(data.following)} tag={data} />}
      </PageHeading>
      {people !== undefined && people > 0 && (
        <p class={css['people']}>{t.tag.people({ count: people, shown: formatShort(people) })}</p>
      )}
      <Combination tag={tag} others={others} />
      <Feed name={`#${tag}`} source={sources.ofTag(tag, others)} empty={t.tag.empty} />
    </>
  )
}

/** Names of tags as people write them: with or without their sign, apart by spaces or commas. */
const readTags = (text: string): string[] => text.split(/[\s,#]+/).filter((name) => name !== '')

/** Which other tags are looked at: what is chosen stands in the address. */
function Combination({ tag, others }: { tag: string; others: sources.OtherTags }) {
  const [typed, setTyped] = useState(() => ({
    any: others.any.join(' '),
    all: others.all.join(' '),
    none: others.none.join(' '),
  }))
  const show = async () => {
    const chosen = { any: readTags(typed.any), all: readTags(typed.all), none: readTags(typed.none) }
    navigate(withQuery(`/tags/${encodeURIComponent(tag)}`, chosen))
  }
  const isCombined = modes.some((mode) => others[mode].length > 0)
  return (
    <details class={css['combination']} open={isCombined}>
      <summary>{t.tag.combine}</summary>
      <Form action={t.tag.show} onSend={show} label={t.tag.combine}>
        {modes.map((mode) => (
          <Field
            key={mode}
            label={t.tag[mode]}
            dir="auto"
            autoCapitalize="none"
            value={typed[mode]}
            onInput={(event) => setTyped({ ...typed, [mode]: event.currentTarget.value })}
          />
        ))}
      </Form>
    </details>
  )
}
