// Who sees a post, and who may answer and quote it.
import { t } from '../../../core/texts.ts'
import { preferences } from '../../../data/session.ts'
import type { QuotePolicy, ReplyPolicy, Visibility } from '../../../data/writing/content.ts'
import type { Piece } from '../../../data/writing/piece.ts'
import { quotePolicies, replyPolicies } from '../../../data/writing/policies.ts'
import { limits } from '../../../data/writing/readiness.ts'
import { Button } from '../../controls/button.tsx'
import { Check, Choices } from '../../controls/field.tsx'
import css from './choices.module.css'

const visibilities: readonly Visibility[] = ['public', 'unlisted', 'private', 'direct']

export function VisibilityChoice({ piece, onDone }: { piece: Piece; onDone: () => void }) {
  const content = piece.content.value
  const defaults = preferences.value.data
  const visibility = content.visibility ?? defaults?.['posting:default:visibility'] ?? 'public'
  const quotes =
    content.quotePolicy ?? (defaults?.['posting:default:quote_policy'] as QuotePolicy) ?? 'public'
  const replies =
    content.replyPolicy ?? (defaults?.['posting:default:reply_policy'] as ReplyPolicy) ?? 'public'
  const isClosed = visibility === 'private' || visibility === 'direct'
  return (
    <div class={css['fields']}>
      <Choices
        legend={t.compose.whoSees}
        options={visibilities.map((value) => ({
          value,
          label: t.visibility[value],
          hint: t.compose.visibilityHints[value],
        }))}
        value={visibility}
        disabled={piece.place.startsWith('edit:')}
        onChange={(chosen) => piece.change({ visibility: chosen })}
      />
      <Choices
        legend={t.compose.whoReplies}
        options={replyPolicies.map((value) => ({ value, label: t.compose.replyPolicies[value] }))}
        value={visibility === 'direct' ? 'mentioned' : replies}
        disabled={visibility === 'direct'}
        onChange={(chosen) => piece.change({ replyPolicy: chosen })}
      />
      <Choices
        legend={t.compose.whoQuotes}
        options={quotePolicies.map((value) => ({ value, label: t.compose.quotePolicies[value] }))}
        value={isClosed ? 'nobody' : quotes}
        disabled={isClosed}
        onChange={(chosen) => piece.change({ quotePolicy: chosen })}
      />
      {limits()?.statuses.local_only && (
        <Check
          label={t.compose.localOnly}
          checked={content.localOnly}
          onChange={() => piece.change({ localOnly: !content.localOnly })}
        />
      )}
      <div class={css['buttons']}>
        <Button look="main" onClick={onDone}>
          {t.compose.done}
        </Button>
      </div>
    </div>
  )
}
