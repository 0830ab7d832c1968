// Who sees a post, and who may quote it.
import { t } from '../../../core/texts.ts'
import { preferences } from '../../../data/session.ts'
import type { QuotePolicy, Visibility } from '../../../data/writing/content.ts'
import type { Piece } from '../../../data/writing/piece.ts'
import { limits } from '../../../data/writing/readiness.ts'
import { Button } from '../../controls/button.tsx'
import { Check } from '../../controls/field.tsx'
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
      <fieldset class={css['choices']}>
        <legend>{t.compose.whoSees}</legend>
        {visibilities.map((one) => (
          <Radio
            key={one}
            name="visibility"
            label={t.visibility[one]}
            hint={t.compose.visibilityHints[one]}
            isChecked={one === visibility}
            onChoose={() => piece.change({ visibility: one })}
          />
        ))}
      </fieldset>
      <fieldset class={css['choices']} disabled={isClosed}>
        <legend>{t.compose.whoQuotes}</legend>
        {policies.map((one) => (
          <Radio
            key={one}
            name="quotes"
            label={t.compose.quotePolicies[one]}
            isChecked={one === (isClosed ? 'nobody' : policy)}
            onChoose={() => piece.change({ quotePolicy: one })}
          />
        ))}
      </fieldset>
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

interface RadioProps {
  name: string
  label: string
  hint?: string
  isChecked: boolean
  onChoose: () => void
}

function Radio({ name, label, hint, isChecked, onChoose }: RadioProps) {
  return (
    <label class={css['radio']}>
      <input type="radio" name={name} aria-label={label} checked={isChecked} onChange={onChoose} />
      <span>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </label>
  )
}
