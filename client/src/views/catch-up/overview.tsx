// The span at a glance: who said something, which links were shared, and what several people boosted.
import type { ComponentChildren } from 'preact'
import type { Account } from '#entities/account.ts'
import type { CatchUp } from '#entities/personal/catch-up.ts'
import type { Status } from '#entities/status.ts'
import { withQuery } from '../../api/client.ts'
import { formatShort } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { useQuery } from '../../data/query.ts'
import { isDeleted, keepStatuses } from '../../data/statuses.ts'
import { DisplayName, nameOf } from '../../parts/account/account-name.tsx'
import { Avatar } from '../../parts/account/avatar.tsx'
import { PostCard } from '../../parts/post/post-card.tsx'
import { PostOf } from '../../parts/post/post.tsx'
import css from './catch-up.module.css'

interface PeopleProps {
  found: CatchUp
  people: ReadonlyMap<string, Account>
  chosen: string | null
  onChoose: (accountId: string | null) => void
}

/** Those who say little first: pressed, only theirs is shown below. */
export function People({ found, people, chosen, onChoose }: PeopleProps) {
  return (
    <div class={css['people']} role="group" aria-label={t.catchUp.people} tabIndex={0}>
      {found.authors.map(({ account_id: id, quiet, statuses_count: count }) => {
        const account = people.get(id)
        if (!account) return null
        const name = nameOf(account)
        return (
          <button
            key={id}
            type="button"
            class={css['person']}
            aria-pressed={chosen === id}
            title={quiet ? t.catchUp.quiet({ name }) : name}
            onClick={() => onChoose(chosen === id ? null : id)}
          >
            <Avatar account={account} size={44} />
            <span class={css['name']}>
              <DisplayName account={account} />
            </span>
            <small>{formatShort(count)}</small>
            {quiet && <span class={css['quiet']} role="img" aria-label={t.catchUp.rarely} />}
          </button>
        )
      })}
    </div>
  )
}

/** How many of each are shown at a glance. */
const few = 5

function Part({ title, count, children }: { title: string; count: number; children: ComponentChildren }) {
  if (count === 0) return null
  return (
    <details class={css['part']}>
      <summary>
        <h2>{title}</h2> <span>{formatShort(count)}</span>
      </summary>
      {children}
    </details>
  )
}

export const Links = ({ found: { links } }: { found: CatchUp }) => (
  <Part title={t.catchUp.links} count={links.length}>
    <ul class={css['links']}>
      {links.slice(0, 2 * few).map(({ card, accounts_count: count }) => (
        <li key={card.url}>
          <PostCard card={card} />
          {count > 1 && <small>{t.catchUp.sharedBy({ count, shown: formatShort(count) })}</small>}
        </li>
      ))}
    </ul>
  </Part>
)

export function Boosted({ found: { reblogged } }: { found: CatchUp }) {
  const several = reblogged.filter(({ accounts_count: count }) => count > 1).slice(0, few)
  const ids = several.map(({ status_id: id }) => id)
  const path = ids.length > 0 ? withQuery('/api/v1/statuses', { id: ids }) : null
  const { data: statuses = [] } = useQuery<Status[]>(path)
  keepStatuses(statuses)
  const shown = several.filter(({ status_id: id }) => !isDeleted(id))
  return (
    <Part title={t.catchUp.boosted} count={shown.length}>
      {shown.map(({ status_id: id, accounts_count: many }) => (
        <div key={id} class={css['boosted']}>
          <small>{t.catchUp.boostedBy({ count: many, shown: formatShort(many) })}</small>
          <PostOf id={id} context="home" />
        </div>
      ))}
    </Part>
  )
}
