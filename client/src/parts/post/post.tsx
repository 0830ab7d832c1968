// A post, whole: who, what, what is in it, and what can be done with it.
import type { Status } from '#entities/status.ts'
import { formatDateTime } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { statusOf } from '../../data/statuses.ts'
import { AccountLink, DisplayName, nameOf } from '../account/account-name.tsx'
import { Avatar } from '../account/avatar.tsx'
import { Icon } from '../controls/icon.tsx'
import { RichText } from '../text/rich-text.tsx'
import { Age } from '../text/time.tsx'
import { PostActions } from './post-actions.tsx'
import css from './post.module.css'

/** The post of this id, as far as it is known. */
export function PostOf({ id }: { id: string }) {
  const status = statusOf(id)?.value
  return status ? <Post status={status} /> : null
}

/** A post, or a boost with the post in it. */
export function Post({ status }: { status: Status }) {
  const shown = status.reblog ? (statusOf(status.reblog.id)?.value ?? status.reblog) : status
  const { account } = shown
  return (
    <article
      class={css['post']}
      data-anchor={status.id}
      tabIndex={-1}
      aria-label={t.post.label({ name: nameOf(account), time: formatDateTime(shown.created_at) })}
    >
      {status.reblog && (
        <p class={css['boost']}>
          <Icon name="boost" size={16} />
          <a href={`/@${status.account.acct}`}>
            <DisplayName account={status.account} />
          </a>{' '}
          {t.post.boosted}
        </p>
      )}
      <a href={`/@${account.acct}`} tabIndex={-1} aria-hidden="true" class={css['avatar']}>
        <Avatar account={account} />
      </a>
      <header class={css['head']}>
        <AccountLink account={account} />
        <a class={css['time']} href={`/@${account.acct}/${shown.id}`}>
          <Age time={shown.created_at} />
        </a>
      </header>
      <div class={css['body']}>
        <RichText
          html={shown.content}
          emojis={shown.emojis}
          mentions={shown.mentions}
          lang={shown.language}
        />
        <PostActions status={shown} />
      </div>
    </article>
  )
}
