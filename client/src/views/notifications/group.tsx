// One notification, or several of a kind together: who, what, and the post or the person that it is about.
import type { Account } from '#entities/account.ts'
import type { NotificationGroup } from '#entities/notification.ts'
import { plainTextOf } from '../../core/plain-text.ts'
import { t } from '../../core/texts.ts'
import { statusOf } from '../../data/statuses.ts'
import { DisplayName, nameOf } from '../../parts/account/account-name.tsx'
import { Avatar } from '../../parts/account/avatar.tsx'
import { FollowButton } from '../../parts/account/follow-button.tsx'
import { FollowRequestButtons } from '../../parts/account/follow-request.tsx'
import { Icon } from '../../parts/controls/icon.tsx'
import { PostOf } from '../../parts/post/post.tsx'
import excerptCss from '../../parts/text/excerpt.module.css'
import { Age } from '../../parts/text/time.tsx'
import css from './notifications.module.css'
import { looks } from './words.ts'

export interface GroupProps {
  group: NotificationGroup
  accounts: readonly Account[]
  isUnread: boolean
}

export function Group({ group, accounts, isUnread }: GroupProps) {
  const look = looks[group.type]
  const [first] = accounts
  const time = group.latest_page_notification_at
  const words = look.say(group)
  return (
    <article
      class={`${css['group']} ${isUnread ? css['unread'] : ''}`}
      data-anchor={group.group_key}
      tabIndex={-1}
      aria-label={!look.isNobodys && first ? `${nameOf(first)} ${words}` : words}
    >
      <header class={css['head']} data-plays>
        <span class={`${css['icon']} ${look.tone ? css[look.tone] : ''}`}>
          <Icon name={look.icon} />
        </span>
        {!look.isNobodys && <Faces accounts={accounts} />}
        <p class={css['words']}>
          {!look.isNobodys && first && <Who first={first} others={group.notifications_count - 1} />} {words}
          {group.type === 'moderation_warning' && (
            <a href={`/disputes/strikes/${group.moderation_warning?.id}`}>{t.notified.seeWhy}</a>
          )}
          {group.type === 'severed_relationships' && (
            <a href="/severed_relationships">{t.notified.seeWhom}</a>
          )}
        </p>
        {isUnread && <span class={css['mark']} role="img" aria-label={t.notifications.unread} />}
        {time !== undefined && (
          <span class={css['time']}>
            <Age time={time} />
          </span>
        )}
      </header>
      {group.status_id !== undefined && <About id={group.status_id} isWhole={look.isWhole === true} />}
      {first && group.type === 'follow_request' && (
        <div class={css['buttons']}>
          <FollowRequestButtons account={first} />
        </div>
      )}
      {first && group.type === 'follow' && accounts.length === 1 && (
        <div class={css['buttons']}>
          <FollowButton account={first} />
        </div>
      )}
    </article>
  )
}

const Faces = ({ accounts }: { accounts: readonly Account[] }) => (
  <span class={css['faces']}>
    {accounts.slice(0, 6).map((account) => (
      <a key={account.id} href={`/@${account.acct}`} tabIndex={-1} aria-hidden="true" title={nameOf(account)}>
        <Avatar account={account} size={32} />
      </a>
    ))}
  </span>
)

function Who({ first, others }: { first: Account; others: number }) {
  return (
    <>
      <a href={`/@${first.acct}`}>
        <DisplayName account={first} />
      </a>
      {others > 0 && ` ${t.notified.others({ count: others })}`}
    </>
  )
}

/** The post: whole where one may want to answer, else the beginning of it, which leads there. */
function About({ id, isWhole }: { id: string; isWhole: boolean }) {
  const status = statusOf(id)?.value
  if (!status) return null
  if (isWhole) return <PostOf id={id} context="notifications" />
  const text = status.spoiler_text || plainTextOf(status.content)
  return (
    <a
      class={`${excerptCss['excerpt']} ${css['excerpt']}`}
      href={`/@${status.account.acct}/${status.id}`}
      dir="auto"
    >
      {text || t.notifications.mediaOnly}
    </a>
  )
}
