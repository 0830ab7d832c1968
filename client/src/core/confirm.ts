// A question before what cannot be taken back. layout/question.tsx shows it.
import { signal } from '@preact/signals'

export interface Question {
  title: string
  /** What the question is about, where its title does not say it all. */
  text?: string
  /** The words of the button that does it. */
  action: string
  run: () => void
}

export const question = signal<Question | null>(null)

export function confirm(asked: Question): void {
  question.value = asked
}
