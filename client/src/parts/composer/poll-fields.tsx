// The question that a post asks.
import { useId } from 'preact/hooks'
import { formatDuration } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import type { WrittenPoll } from '../../data/writing/content.ts'
import { isRepeated, limits } from '../../data/writing/readiness.ts'
import { Button } from '../controls/button.tsx'
import fieldCss from '../controls/field.module.css'
import { Check } from '../controls/field.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import css from './poll-fields.module.css'

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const durations = [
  5 * minute,
  30 * minute,
  hour,
  6 * hour,
  12 * hour,
  day,
  3 * day,
  7 * day,
  14 * day,
  30 * day,
]

export function PollFields({
  poll,
  onChange,
}: {
  poll: WrittenPoll
  onChange: (poll: WrittenPoll | null) => void
}) {
  const {
    max_options: max = 4,
    min_expiration: soonest = 5 * minute,
    max_expiration: latest = 30 * day,
  } = limits()?.polls ?? {}
  const { options, expiresIn, multiple, hideTotals } = poll
  const offered = durations.filter((seconds) => seconds >= soonest && seconds <= latest)
  const shown = offered.includes(expiresIn) ? offered : [...offered, expiresIn].toSorted((a, b) => a - b)
  return (
    <fieldset class={css['poll']}>
      <legend>{t.compose.poll}</legend>
      {options.map((option, index) => (
        <Option key={index} poll={poll} index={index} value={option} onChange={onChange} />
      ))}
      <div class={css['row']}>
        {options.length < max && (
          <Button onClick={() => onChange({ ...poll, options: [...options, ''] })}>
            {t.compose.addOption}
          </Button>
        )}
        <label class={css['ends']}>
          {t.compose.pollEnds}
          <select
            class={`${fieldCss['input']} ${css['span']}`}
            value={expiresIn}
            onChange={(event) => onChange({ ...poll, expiresIn: Number(event.currentTarget.value) })}
          >
            {shown.map((seconds) => (
              <option key={seconds} value={seconds}>
                {formatDuration(seconds)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Check
        label={t.compose.multiple}
        checked={multiple}
        onChange={() => onChange({ ...poll, multiple: !multiple })}
      />
      <Check
        label={t.compose.hideTotals}
        checked={hideTotals}
        onChange={() => onChange({ ...poll, hideTotals: !hideTotals })}
      />
    </fieldset>
  )
}

interface OptionProps {
  poll: WrittenPoll
  index: number
  value: string
  onChange: (poll: WrittenPoll) => void
}

function Option({ poll, index, value, onChange }: OptionProps) {
  const { options } = poll
  const label = t.compose.option({ number: index + 1 })
  const note = useId()
  const isTwice = isRepeated(options, index)
  return (
    <div class={css['option']}>
      <input
        class={`${fieldCss['input']} ${css['text']}`}
        value={value}
        dir="auto"
        maxLength={limits()?.polls.max_characters_per_option ?? 50}
        placeholder={label}
        aria-label={label}
        {...(isTwice && { 'aria-invalid': true, 'aria-describedby': note })}
        onInput={(event) => {
          const typed = event.currentTarget.value
          onChange({ ...poll, options: options.map((one, at) => (at === index ? typed : one)) })
        }}
      />
      {options.length > 2 && (
        <IconButton
          icon="close"
          label={t.compose.removeOption({ number: index + 1 })}
          onClick={() => onChange({ ...poll, options: options.filter((_, at) => at !== index) })}
        />
      )}
      {isTwice && (
        <small id={note} class={`${fieldCss['problem']} ${css['note']}`}>
          {t.compose.optionTwice}
        </small>
      )}
    </div>
  )
}
