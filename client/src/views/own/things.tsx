// One's lists and followed tags.
import type { List } from '#entities/list.ts'
import { t } from '../../core/texts.ts'
import { useQuery } from '../../data/query.ts'
import { PageHeading } from '../../parts/page/heading.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import { TagList } from '../../parts/tag/tag-list.tsx'
import noteCss from '../../parts/page/note.module.css'
import css from './own.module.css'

export function Lists() {
  const { data: lists, error } = useQuery<List[]>('/api/v1/lists')
  return (
    <>
      <PageHeading title={t.navigation.lists} />
      {error !== null && <Problem text={error} />}
      {lists && lists.length > 0 && (
        <ul class={css['list']} aria-label={t.navigation.lists}>
          {lists.map(({ id, title }) => (
            <li key={id}>
              <a href={`/lists/${id}`} dir="auto">
                {title}
              </a>
            </li>
          ))}
        </ul>
      )}
      {lists?.length === 0 && <p class={noteCss['none']}>{t.profile.noLists}</p>}
    </>
  )
}

export const FollowedTags = () => (
  <>
    <PageHeading title={t.own.followedTags} />
    <TagList name={t.own.followedTags} path="/api/v1/followed_tags?limit=100" empty={t.own.noTags} />
  </>
)
