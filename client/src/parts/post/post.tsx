// A post, whole: who, what, what is in it, and what can be done with it.
import { useComputed } from '@preact/signals'
import type { Status } from '#entities/status.ts'
import { formatDateTime } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { hiddenAuthors } from '../../data/relationships.ts'
import { toggleReaction } from '../../data/status-actions.ts'
import { statusOf, useDeleted } from '../../data/statuses.ts'
import type { FilterContext } from '../../data/timeline.ts'
import { AccountLink, DisplayName, nameOf } from '../account/account-name.tsx'
import { Avatar } from '../account/avatar.tsx'
import { Icon, type IconName } from '../controls/icon.tsx'
import { Reactions } from '../reactions/reactions.tsx'
import { Age } from '../text/time.tsx'
import { Filtered, matchFilters } from './filtered.tsx'
import { PostActions } from './post-actions.tsx'
import { PostContent } from './post-content.tsx'
import { PostFacts } from './post-facts.tsx'
import css from './post.module.css'

export interface PostProps {
  status: Status
  /** Where it is shown: the viewer's filters are for some places alone. */
  context?: FilterContext
  /** The post that the page is about: larger, with everything that is known of it. */
  main?: boolean
  /** What it answers stands right above it, and need not be named. */
  isBelowAnswered?: boolean
}

/** The post of this id, as far as it is known. */
export function PostOf({ id, ...rest }: { id: string } & Omit<PostProps, 'status'>) {
  const status = statusOf(id)?.value
  return status ? <Post status={status} {...rest} /> : null
}

/** A post, or a boost with the post in it. */
export function Post({ status, context, main = false, isBelowAnswered = false }: PostProps) {
  const shown = status.reblog ? (statusOf(status.reblog.id)?.value ?? status.reblog) : status
  const { account } = shown
  const filters = matchFilters(shown, main ? undefined : context)
  const isHidden = useHidden(status.account.id, account.id, context)
  if (useDeleted(status.id) || filters.hidden || isHidden) return null
  return (
    <article
      class={`${css['post']} ${main ? css['main'] : ''}`}
      data-anchor={status.id}
      data-status={shown.id}
      tabIndex={-1}
      aria-label={t.post.label({ name: nameOf(account), time: formatDateTime(shown.created_at) })}
    >
      {status.reblog && <Booster account={status.account} />}
      <div class={css['author']} data-plays>
        <a href={`/@${account.acct}`} tabIndex={-1} aria-hidden="true" class={css['avatar']}>
          <Avatar account={account} />
        </a>
        <header class={css['head']}>
          <AccountLink account={account} />
          {!main && <Marks status={shown} />}
        </header>
      </div>
      <div class={css['body']}>
        {!main && !isBelowAnswered && <ReplyMark status={shown} />}
        <Filtered titles={filters.warned}>
          <PostContent status={shown} blurred={filters.blurred} />
        </Filtered>
        {shown.reactions && shown.reactions.length > 0 && (
          <Reactions
            reactions={shown.reactions}
            onToggle={(reaction) => void toggleReaction(shown.id, reaction)}
          />
        )}
        {main && <PostFacts status={shown} />}
        <PostActions status={shown} />
      </div>
    </article>
  )
}

/** Whether the viewer has just muted or blocked who wrote or boosted it. Their own profile shows it all the same. */
const useHidden = (booster: string, author: string, context: FilterContext | undefined): boolean =>
  useComputed(() => hiddenAuthors.value.has(booster) || hiddenAuthors.value.has(author)).value &&
  context !== undefined &&
  context !== 'account'

function Booster({ account }: { account: Status['account'] }) {
  return (
    <p class={css['above']}>
      <Icon name="boost" size={16} />
      <span>
        <a href={`/@${account.acct}`}>
          <DisplayName account={account} />
        </a>{' '}
        {t.post.boosted}
      </span>
    </p>
  )
}

/** Whom it answers, as far as it says. */
function ReplyMark({ status }: { status: Status }) {
  if (status.in_reply_to_id === null) return null
  const answered = status.mentions.find(({ id }) => id === status.in_reply_to_account_id)
  const isOwn = status.in_reply_to_account_id === status.account.id
  const text = isOwn
    ? t.post.continues
    : answered
      ? t.post.answers({ name: `@${answered.acct}` })
      : t.post.isReply
  return (
    <p class={css['reply']}>
      <Icon name="reply" size={14} />
      <bdi>{text}</bdi>
    </p>
  )
}

const icons: Readonly<Record<Status['visibility'], IconName>> = {
  public: 'globe',
  unlisted: 'unlisted',
  private: 'lock',
  direct: 'at',
}

/** When, whether it was changed, and who sees it. */
function Marks({ status }: { status: Status }) {
  return (
    <span class={css['marks']}>
      {status.edited_at !== null && (
        <a
          href={`/@${status.account.acct}/${status.id}/history`}
          title={t.post.editedAt({ time: formatDateTime(status.edited_at) })}
          aria-label={t.post.editedAt({ time: formatDateTime(status.edited_at) })}
        >
          <Icon name="edit" size={14} />
        </a>
      )}
      {status.visibility !== 'public' && (
        <span role="img" aria-label={t.visibility[status.visibility]} title={t.visibility[status.visibility]}>
          <Icon name={icons[status.visibility]} size={14} />
        </span>
      )}
      {status.local_only === true && (
        <span role="img" aria-label={t.post.localOnly} title={t.post.localOnly}>
          <Icon name="home" size={14} />
        </span>
      )}
      <a href={`/@${status.account.acct}/${status.id}`}>
        <Age time={status.created_at} />
      </a>
    </span>
  )
}
