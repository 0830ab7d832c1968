import { now } from '../../core/clock.ts'
import { formatAge, formatDateTime } from '../../core/format.ts'

/** How long ago; the whole date when it is pointed at. */
export function Age({ time }: { time: string }) {
  return (
    <time dateTime={time} title={formatDateTime(time)}>
      {formatAge(time, now.value)}
    </time>
  )
}
