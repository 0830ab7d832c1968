import type { Status } from '#entities/status.ts'
import { formatShort } from '../../core/format.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { compose } from '../../data/compose.ts'
import { account } from '../../data/session.ts'
import { toggleMark } from '../../data/status-actions.ts'
import { replyRefusal } from '../../data/writing/policies.ts'
import { IconButton } from '../controls/icon-button.tsx'
import css from './post-actions.module.css'
import { PostMenu } from './post-menu.tsx'

const countOf = (count: number) => (count > 0 ? formatShort(count) : undefined)

/** Whether it may be boosted: by its author also where only followers see it. */
function canBoost({ visibility, account: author }: Status): boolean {
  if (visibility === 'private') return author.id === account.value.data?.id
  return visibility !== 'direct'
}

/** The row of buttons below a post. */
export function PostActions({ status }: { status: Status }) {
  const { id } = status
  const refusal = replyRefusal(status)
  return (
    <div class={css['actions']}>
      <IconButton
        icon="reply"
        data-action="reply"
        label={t.post.reply}
        count={countOf(status.replies_count)}
        refusal={refusal}
        onClick={() => (refusal === null ? compose({ kind: 'reply', to: status }) : tell(refusal, 'problem'))}
      />
      <IconButton
        icon="boost"
        data-action="boost"
        label={t.post.boost}
        tone="boosted"
        pressed={status.reblogged ?? false}
        count={countOf(status.reblogs_count)}
        disabled={!canBoost(status)}
        onClick={() => void toggleMark(id, 'reblogged')}
      />
      <IconButton
        icon="star"
        data-action="favourite"
        label={t.post.favourite}
        tone="favourited"
        pressed={status.favourited ?? false}
        count={countOf(status.favourites_count)}
        onClick={() => void toggleMark(id, 'favourited')}
      />
      <IconButton
        icon="bookmark"
        data-action="bookmark"
        label={t.post.bookmark}
        tone="bookmarked"
        pressed={status.bookmarked ?? false}
        onClick={() => void toggleMark(id, 'bookmarked')}
      />
      <PostMenu status={status} />
    </div>
  )
}
