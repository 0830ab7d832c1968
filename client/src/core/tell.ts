// What happens without a reload is told in a status region, which screen readers read out and everybody sees for a while.
import { signal } from '@preact/signals'

export interface Notice {
  id: number
  text: string
  kind: 'done' | 'problem'
  /** Something to do about it. */
  action?: { label: string; run: () => void }
}

export const notices = signal<readonly Notice[]>([])

const shownFor = { done: 4_000, problem: 8_000 } as const
let count = 0

/** Shows a line for some seconds; for as long as it has an action, a little longer. */
export function tell(text: string, kind: Notice['kind'] = 'done', action?: Notice['action']): number {
  const id = ++count
  notices.value = [...notices.value, { id, text, kind, ...(action && { action }) }].slice(-3)
  setTimeout(() => dismiss(id), shownFor[kind] + (action ? 4_000 : 0))
  return id
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}
