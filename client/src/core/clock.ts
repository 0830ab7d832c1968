import { signal } from '@preact/signals'

/** Milliseconds since the epoch, to the minute: what shows ages looks at it. */
export const now = signal(Date.now())

setInterval(() => {
  now.value = Date.now()
}, 30_000)
