// Actions show at once, and are taken back with words when the server refuses.
import { wordsOf } from '../api/errors.ts'
import { tell } from '../core/tell.ts'

export interface Action<T> {
  /** Shows it as done. Returns how to take it back. */
  show(): () => void
  ask(): Promise<T>
  /** Takes over what the server answered. */
  done?(answer: T): void
}

/** Returns whether it was done. */
export async function act<T>(action: Action<T>): Promise<boolean> {
  const takeBack = action.show()
  try {
    const answer = await action.ask()
    action.done?.(answer)
    return true
  } catch (error) {
    takeBack()
    tell(wordsOf(error), 'problem')
    return false
  }
}
