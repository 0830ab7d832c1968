// What a post answers or quotes, and when it goes out.
import type { Status } from '#entities/status.ts'
import { formatDateTime } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { useDeleted } from '../../data/statuses.ts'
import type { Piece } from '../../data/writing/piece.ts'
import { replyRefusal } from '../../data/writing/policies.ts'
import { DisplayName } from '../account/account-name.tsx'
import { Avatar } from '../account/avatar.tsx'
import { Icon, type IconName } from '../controls/icon.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { RichText } from '../text/rich-text.tsx'
import css from './about.module.css'

export function About({ piece }: { piece: Piece }) {
  const { replyTo, replyToId, quoted, quotedId } = piece.content.value
  const isEdit = piece.place.startsWith('edit:')
  const isLost = useDeleted(replyToId ?? '')
  const isQuotedLost = useDeleted(quotedId ?? '')
  const refusal = replyTo && !isEdit && !isLost ? replyRefusal(replyTo) : null
  return (
    <>
      {replyTo && !isLost && <Excerpt icon="reply" label={t.compose.replyTo} status={replyTo} />}
      {replyToId !== null && !isEdit && (isLost || !replyTo) && (
        <Excerpt
          icon="reply"
          label={t.compose.replyTo}
          status={null}
          remove={{
            label: t.compose.removeReply,
            run: () => piece.change({ replyTo: null, replyToId: null }),
          }}
        />
      )}
      {refusal !== null && (
        <p class={css['refusal']} role="alert">
          {refusal}
        </p>
      )}
      {quotedId !== null && (
        <Excerpt
          icon="quote"
          label={t.compose.quotes}
          status={isQuotedLost ? null : quoted}
          {...(!isEdit && {
            remove: {
              label: t.compose.removeQuote,
              run: () => piece.change({ quoted: null, quotedId: null }),
            },
          })}
        />
      )}
    </>
  )
}

interface ExcerptProps {
  icon: IconName
  label: string
  status: Status | null
  remove?: { label: string; run: () => void }
}

/** Enough of a post to know it again. */
function Excerpt({ icon, label, status, remove }: ExcerptProps) {
  return (
    <section class={css['excerpt']} aria-label={label}>
      <header data-plays>
        <Icon name={icon} size={16} />
        {status ? (
          <>
            <Avatar account={status.account} size={22} />
            <DisplayName account={status.account} />
          </>
        ) : (
          <span>{t.errors.notFound}</span>
        )}
        {remove && <IconButton icon="close" label={remove.label} onClick={remove.run} />}
      </header>
      {status && (
        <div class={css['text']}>
          {status.spoiler_text === '' ? (
            <RichText
              html={status.content}
              emojis={status.emojis}
              mentions={status.mentions}
              lang={status.language}
            />
          ) : (
            <p>{status.spoiler_text}</p>
          )}
        </div>
      )}
    </section>
  )
}

export function Scheduled({ at, onRemove }: { at: string; onRemove: () => void }) {
  return (
    <p class={css['scheduled']}>
      <Icon name="calendar" size={18} />
      <span>{t.compose.scheduledFor({ time: formatDateTime(at) })}</span>
      <IconButton icon="close" label={t.compose.removeSchedule} onClick={onRemove} />
    </p>
  )
}
