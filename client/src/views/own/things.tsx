// One's lists and followed tags.
import { useState } from 'preact/hooks'
import type { List } from '#entities/list.ts'
import { t } from '../../core/texts.ts'
import { useQuery } from '../../data/query.ts'
import { Button } from '../../parts/controls/button.tsx'
import { IconButton } from '../../parts/controls/icon-button.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import { TagList } from '../../parts/tag/tag-list.tsx'
import noteCss from '../../parts/page/note.module.css'
import { ListDialog } from './list-dialog.tsx'
import css from './own.module.css'

export function Lists() {
  const { data: lists, error } = useQuery<List[]>('/api/v1/lists')
  const [edited, setEdited] = useState<List | null | undefined>()
  return (
    <>
      <PageHeading title={t.navigation.lists}>
        <Button look="main" onClick={() => setEdited(null)}>
          {t.lists.make}
        </Button>
      </PageHeading>
      {error !== null && <Problem text={error} />}
      {lists && lists.length > 0 && (
        <ul class={css['rows']} aria-label={t.navigation.lists}>
          {lists.map((list) => (
            <li key={list.id}>
              <a href={`/lists/${list.id}`} dir="auto">
                {list.title}
              </a>
              <IconButton
                icon="edit"
                label={t.lists.editOne({ title: list.title })}
                onClick={() => setEdited(list)}
              />
            </li>
          ))}
        </ul>
      )}
      {lists?.length === 0 && <p class={noteCss['none']}>{t.profile.noLists}</p>}
      {edited !== undefined && <ListDialog list={edited} onClose={() => setEdited(undefined)} />}
    </>
  )
}

export const FollowedTags = () => (
  <>
    <PageHeading title={t.own.followedTags} />
    <TagList name={t.own.followedTags} path="/api/v1/followed_tags?limit=100" empty={t.own.noTags} />
  </>
)
