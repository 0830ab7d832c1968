// What grows by asking for more: one question at a time, what went wrong in words, and whether there is more.
import { signal, type Signal } from '@preact/signals'
import { wordsOf } from '../api/errors.ts'

export interface Growth {
  readonly loading: Signal<boolean>
  readonly error: Signal<string | null>
  /** There is nothing more. */
  readonly ended: Signal<boolean>
}

export interface GuardedGrowth extends Growth {
  /** Does the work unless some is being done. Never throws: the state has the error. */
  guarded(work: () => Promise<void>): Promise<void>
}

export function createGrowth(): GuardedGrowth {
  const loading = signal(false)
  const error = signal<string | null>(null)
  return {
    loading,
    error,
    ended: signal(false),
    async guarded(work) {
      if (loading.peek()) return
      loading.value = true
      error.value = null
      try {
        await work()
      } catch (cause) {
        error.value = wordsOf(cause)
      }
      loading.value = false
    },
  }
}
