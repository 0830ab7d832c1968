import type { Collection } from '#entities/collection.ts'
import { formatNumber } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { Icon } from '../controls/icon.tsx'
import css from './collection-list.module.css'

/** Collections one below the other, each with what it is about. */
export const CollectionList = ({
  name,
  collections,
}: {
  name: string
  collections: readonly Collection[]
}) => (
  <ul class={css['list']} aria-label={name}>
    {collections.map(({ id, name: title, description, tag, item_count: count }) => (
      <li key={id}>
        <a href={`/collections/${id}`}>
          <Icon name="people" />
          <span class={css['what']}>
            <b dir="auto">{title}</b>
            {description !== '' && <span dir="auto">{description}</span>}
            <small>
              {t.collections.people({ count, shown: formatNumber(count) })}
              {tag !== null && ' · '}
              {tag !== null && <bdi>#{tag.name}</bdi>}
            </small>
          </span>
        </a>
      </li>
    ))}
  </ul>
)
