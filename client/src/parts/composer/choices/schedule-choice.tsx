import { useState } from 'preact/hooks'
import { t } from '../../../core/texts.ts'
import { Button } from '../../controls/button.tsx'
import { Field } from '../../controls/field.tsx'
import css from './choices.module.css'

/** `2026-11-22T17:05`, as fields for a time have it. */
const toField = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

/** The server takes nothing that is sooner. */
const soonest = 6 * 60_000

/** When a post goes out. `at`: as it is now; null chooses none. */
export function ScheduleChoice({
  at,
  onChoose,
}: {
  at: string | null
  onChoose: (at: string | null) => void
}) {
  const first = new Date(Date.now() + soonest)
  const [value, setValue] = useState(toField(at === null ? new Date(Date.now() + 3_600_000) : new Date(at)))
  const isPast = value === '' || new Date(value) < first
  return (
    <>
      <Field
        label={t.compose.scheduleAt}
        type="datetime-local"
        value={value}
        min={toField(first)}
        onInput={(event) => setValue((event.currentTarget as HTMLInputElement).value)}
        {...(isPast && { problem: t.compose.scheduleTooSoon })}
      />
      <div class={css['buttons']}>
        {at !== null && <Button onClick={() => onChoose(null)}>{t.compose.removeSchedule}</Button>}
        <Button look="main" disabled={isPast} onClick={() => onChoose(new Date(value).toISOString())}>
          {t.compose.done}
        </Button>
      </div>
    </>
  )
}
