// Asking for the composer from anywhere, before it is loaded: `compose({ kind: 'reply', to: status })`.
import { signal } from '@preact/signals'
import type { Draft } from '#entities/personal/draft.ts'
import type { Status } from '#entities/status.ts'

export type Intent =
  | { kind: 'new' }
  | { kind: 'share'; text: string; files?: readonly File[] }
  /** To those alone who are mentioned. */
  | { kind: 'message' }
  | { kind: 'reply'; to: Status }
  | { kind: 'quote'; of: Status }
  | { kind: 'edit'; status: Status }
  /** `status`: what the deletion answered, with its source. */
  | { kind: 'redraft'; status: Status }
  | { kind: 'draft'; draft: Draft }
  /** What is kept under this place: see data/writing/store.ts. */
  | { kind: 'place'; place: string }

/** What is written in the dialog; null while it is closed. */
export const composing = signal<Intent | null>(null)

/** Opens the composer. A new post is written in the composer of the page, where it has one. */
export function compose(intent: Intent): void {
  const inline = intent.kind === 'new' && document.querySelector<HTMLElement>('form[data-composer] textarea')
  if (inline) {
    inline.focus()
    inline.scrollIntoView({ block: 'center' })
  } else composing.value = intent
}

/** What was published here last, oldest of a thread first: for views that show it at once. */
export const published = signal<readonly Status[]>([])
