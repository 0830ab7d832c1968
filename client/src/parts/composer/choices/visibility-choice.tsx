// Who sees a post, and who may quote it.
import { t } from '../../../core/texts.ts'
import { preferences } from '../../../data/session.ts'
import type { QuotePolicy, Visibility } from '../../../data/writing/content.ts'
import type { Piece } from '../../../data/writing/piece.ts'
import { limits } from '../../../data/writing/readiness.ts'
import { Button } from '../../controls/button.tsx'
import { Check, Choices } from '../../controls/field.tsx'
import css from './choices.module.css'

const visibilities: readonly Visibility[] = ['public', 'unlisted', 'private', 'direct']
const policies: readonly QuotePolicy[] = ['public', 'followers', 'nobody']

export function VisibilityChoice({ piece, onDone }: { piece: Piece; onDone: () => void }) {
  const content = piece.content.value
  const defaults = preferences.value.data
  const visibility = content.visibility ?? defaults?.['posting:default:visibility'] ?? 'public'
  const policy =
    content.quotePolicy ?? (defaults?.['posting:default:quote_policy'] as QuotePolicy) ?? 'public'
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
        onChange={(chosen) => piece.change({ visibility: chosen })}
      />
      <Choices
        legend={t.compose.whoQuotes}
        options={policies.map((value) => ({ value, label: t.compose.quotePolicies[value] }))}
        value={isClosed ? 'nobody' : policy}
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
