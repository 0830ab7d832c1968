import type { AsyncRefresh } from '#entities/annual-report.ts'
import type { Refresh, Refreshed } from '#domain/content/statuses/refreshes.ts'
import { isId } from '#lib/ids.ts'
import { asId, type AccountId, type StatusId } from '#lib/id.ts'

/** Seconds after which clients should ask again. */
const retry = 3

const nameOf = ({ kind, id }: Refreshed) => `${kind}-${id}`

/** What a name of `refreshHeader` means; null for others. */
export function parseRefreshName(name: string): Refreshed | null {
  const [, kind, id] = /^(thread|account)-(\d+)$/.exec(name) ?? []
  if (!isId(id)) return null
  return kind === 'thread' ? { kind, id: asId<StatusId>(id) } : { kind: 'account', id: asId<AccountId>(id) }
}

/** Under which name clients can follow that more is on its way; nothing where nothing is. */
export const refreshHeader = (what: Refreshed, refresh: Refresh | null): Record<string, string> =>
  refresh === null
    ? {}
    : {
        'mastodon-async-refresh': `id="${nameOf(what)}", retry=${retry}, result_count=${refresh.resultCount}`,
      }

/** AsyncRefresh (https://docs.joinmastodon.org/entities/AsyncRefresh/) of what is fetched from other servers. */
export function renderRefresh(what: Refreshed, { status, resultCount }: Refresh): AsyncRefresh {
  return { async_refresh: { id: nameOf(what), status, result_count: resultCount } }
}
