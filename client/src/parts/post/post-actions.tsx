import type { Status } from '#entities/status.ts'
import { formatShort } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { toggleMark } from '../../data/status-actions.ts'
import { IconButton } from '../controls/icon-button.tsx'
import css from './post-actions.module.css'

const countOf = (count: number) => (count > 0 ? formatShort(count) : undefined)

/** The row of buttons below a post. */
export function PostActions({ status }: { status: Status }) {
  const { id } = status
  const isClosed = status.visibility === 'direct' || (status.visibility === 'private' && !status.reblogged)
  return (
    <div class={css['actions']}>
      <IconButton icon="reply" label={t.post.reply} count={countOf(status.replies_count)} />
      <IconButton
        icon="boost"
        label={t.post.boost}
        tone="boosted"
        pressed={status.reblogged ?? false}
        count={countOf(status.reblogs_count)}
        disabled={isClosed}
        onClick={() => void toggleMark(id, 'reblogged')}
      />
      <IconButton
        icon="star"
        label={t.post.favourite}
        tone="favourited"
        pressed={status.favourited ?? false}
        count={countOf(status.favourites_count)}
        onClick={() => void toggleMark(id, 'favourited')}
      />
      <IconButton
        icon="bookmark"
        label={t.post.bookmark}
        tone="bookmarked"
        pressed={status.bookmarked ?? false}
        onClick={() => void toggleMark(id, 'bookmarked')}
      />
      <IconButton icon="more" label={t.post.more} />
    </div>
  )
}
