// Tags one below the other: how many people use each, and whether one follows it.
import type { Tag } from '#entities/tag.ts'
import { formatShort } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { usePages } from '../../data/pages.ts'
import { PagesEnd } from '../page/paged.tsx'
import { FollowTagButton } from './follow-tag-button.tsx'
import css from './tag-list.module.css'

export interface TagListProps {
  name: string
  /** A list of tags of the API, with its parameters. */
  path: string
  empty: string
}

export function TagList({ name, path, empty }: TagListProps) {
  const pages = usePages<Tag>(path)
  return (
    <>
      <Tags name={name} tags={pages.items.value} />
      <PagesEnd pages={pages} isEmpty={pages.items.value.length === 0} empty={empty} />
    </>
  )
}

export const Tags = ({ name, tags }: { name: string; tags: readonly Tag[] }) => (
  <ul class={css['list']} aria-label={name}>
    {tags.map((tag) => (
      <TagItem key={tag.id} tag={tag} />
    ))}
  </ul>
)

/** How many people used it, over the days that the server tells of. */
export const peopleOf = ({ history }: Pick<Tag, 'history'>): number =>
  history.reduce((sum, { accounts }) => sum + Number(accounts), 0)

function TagItem({ tag }: { tag: Tag }) {
  const people = peopleOf(tag)
  return (
    <li class={css['item']}>
      <div class={css['what']}>
        <a href={`/tags/${encodeURIComponent(tag.name)}`}>
          <bdi>#{tag.name}</bdi>
        </a>
        <small>{t.tag.people({ count: people, shown: formatShort(people) })}</small>
      </div>
      <FollowTagButton tag={tag} />
    </li>
  )
}
