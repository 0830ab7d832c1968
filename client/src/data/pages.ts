// A list of the API that comes a page at a time, for what is no timeline.
import { batch, signal, type Signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { get } from '../api/client.ts'
import { wordsOf } from '../api/errors.ts'

export interface Pages<T> {
  readonly items: Signal<readonly T[]>
  readonly loading: Signal<boolean>
  readonly error: Signal<string | null>
  /** There is nothing more. */
  readonly ended: Signal<boolean>
  loadMore(): Promise<void>
}

/** `keep`: what is done with each page before it is shown. */
export function createPages<T>(path: string, keep: (page: readonly T[]) => void = () => {}): Pages<T> {
  const items = signal<readonly T[]>([])
  const loading = signal(false)
  const error = signal<string | null>(null)
  const ended = signal(false)
  let next: string | null = path
  return {
    items,
    loading,
    error,
    ended,
    async loadMore() {
      if (loading.peek() || next === null) return
      loading.value = true
      error.value = null
      try {
        const page = await get<T[]>(next)
        keep(page.body)
        next = page.next
        batch(() => {
          items.value = [...items.peek(), ...page.body]
          ended.value = page.next === null
        })
      } catch (cause) {
        error.value = wordsOf(cause)
      }
      loading.value = false
    },
  }
}

/** The pages of this path, for as long as the component is shown. */
export const usePages = <T>(path: string, keep?: (page: readonly T[]) => void): Pages<T> =>
  useMemo(() => createPages<T>(path, keep), [path])
