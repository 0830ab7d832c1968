// Numbers beside each other as bars; each says what it is when it is pointed at, and to screen readers.
import css from './bars.module.css'

export interface Bar {
  key: string
  value: number
  /** What it stands for, with its number, in words. */
  words: string
}

export interface BarsProps {
  label: string
  bars: readonly Bar[]
  /** What stands below the first and the last one. */
  ends: readonly [string, string]
}

export function Bars({ label, bars, ends }: BarsProps) {
  const max = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <figure class={css['figure']}>
      <figcaption>{label}</figcaption>
      <ul class={css['bars']} aria-label={label}>
        {bars.map(({ key, value, words }) => (
          <li key={key} title={words}>
            <span class={css['words']}>{words}</span>
            <span class={css['bar']} style={{ blockSize: `${(value / max) * 100}%` }} />
          </li>
        ))}
      </ul>
      <p class={css['ends']} aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </p>
    </figure>
  )
}
