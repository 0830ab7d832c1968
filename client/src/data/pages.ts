// A list of the API that comes a page at a time, for what is no timeline.
import { batch, signal, type Signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { get } from '../api/client.ts'
import { createGrowth, type Growth } from './growth.ts'

export interface Pages<T> extends Growth {
  readonly items: Signal<readonly T[]>
  loadMore(): Promise<void>
}

/** `keep`: what is done with each page before it is shown. */
export function createPages<T>(path: string, keep: (page: readonly T[]) => void = () => {}): Pages<T> {
  const items = signal<readonly T[]>([])
  const { loading, error, ended, guarded } = createGrowth()
  let next: string | null = path
  return {
    items,
    loading,
    error,
    ended,
    loadMore: () =>
      guarded(async () => {
        if (next === null) return
        const page = await get<T[]>(next)
        keep(page.body)
        next = page.next
        batch(() => {
          items.value = [...items.peek(), ...page.body]
          ended.value = page.next === null
        })
      }),
  }
}

/** The pages of this path, for as long as the component is shown. */
export const usePages = <T>(path: string, keep?: (page: readonly T[]) => void): Pages<T> =>
  useMemo(() => createPages<T>(path, keep), [path])
