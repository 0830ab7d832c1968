// The view of the address: loaded when it is asked for, titled, and given the focus after the way there.
import { effect, signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { t } from '../core/texts.ts'
import { isOnline } from '../api/client.ts'
import { wordsOf } from '../api/errors.ts'
import { instance } from '../data/session.ts'
import { unread } from '../data/unread.ts'
import { Problem } from '../parts/page/problem.tsx'
import { lookAtShown } from '../parts/post/shown.ts'
import { compilePath, type Params } from './match.ts'
import { positionOf, restoreFocus, restorePosition } from './position.ts'
import { address, arrival, entryKey } from './router.ts'

export type View = ComponentType<{ params: Params }>

export interface Route {
  /** See match.ts. */
  path: string
  /** The view at once, or a promise of it where it is a chunk of its own. */
  load: () => View | Promise<View>
}

interface Shown {
  view: View
  params: Params
  key: string
}

const shown = signal<Shown | null>(null)
/** What the view could not be loaded for. */
const problem = signal<{ error: unknown } | null>(null)

/** Follows the address from now on. */
export function startOutlet(routes: readonly Route[], missing: View): (path: string) => boolean {
  const table = routes.map((route) => ({ route, read: compilePath(route.path) }))
  const find = (path: string) => {
    for (const { route, read } of table) {
      const params = read(path)
      if (params) return { route, params }
    }
    return null
  }
  effect(() => {
    const { count } = arrival.value
    const { pathname } = address.peek()
    const found = find(pathname)
    const view = found ? found.route.load() : missing
    const show = (loaded: View) => {
      if (arrival.peek().count !== count) return
      problem.value = null
      shown.value = { view: loaded, params: found?.params ?? {}, key: `${pathname} ${entryKey.peek()}` }
    }
    if (typeof view === 'function') return show(view)
    view.then(show).catch((error: unknown) => {
      if (arrival.peek().count === count) problem.value = { error }
    })
  })
  // What could not be loaded without a network is shown when there is one.
  effect(() => {
    if (isOnline.value && problem.peek() !== null) arrival.value = { ...arrival.peek() }
  })
  return (path) => find(path) !== null
}

export function Outlet() {
  const current = shown.value
  useLayoutEffect(() => {
    if (!current) return
    const { count, isReturn } = arrival.peek()
    const position = isReturn ? positionOf(entryKey.peek()) : null
    if (position) restorePosition(position)
    // The first page stands at its top, and is not measured for it.
    else if (count > 0) scrollTo({ top: 0, behavior: 'instant' })
    // The first page keeps the focus where the browser has it.
    if (count === 0) return
    const first = document.querySelector<HTMLElement>('main [data-first]')
    ;(first ?? document.querySelector<HTMLElement>('main h1'))?.focus({ preventScroll: true })
    if (!isReturn) return
    restoreFocus(entryKey.peek())
    void lookAtShown()
  }, [current])
  // A browser may tell that there is no network only after what failed for it.
  if (problem.value)
    return <Problem text={isOnline.value ? wordsOf(problem.value.error) : t.errors.offline} />
  if (!current) return null
  const { view: ViewOf, params, key } = current
  return <ViewOf key={key} params={params} />
}

/** Names the page for as long as the view is shown, after how many notifications are new. */
export function useTitle(title: string): void {
  const site = instance.value.data?.title ?? location.host
  const count = unread.value
  useEffect(() => {
    const name = title === '' ? site : t.common.title({ title, site })
    document.title = count > 0 ? t.common.titleWithNews({ count, title: name }) : name
  }, [title, site, count])
}
