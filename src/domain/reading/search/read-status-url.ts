import type { Config } from '#ports/ctx.ts'
import { isId } from '#lib/ids.ts'
import { asId, type StatusId } from '#lib/id.ts'

/**
 * The id in the address of a local status, as a page, as a page to embed, or as an object of the fediverse. Null for
 * anything else.
 */
export function readStatusUrl(config: Config, text: string): StatusId | null {
  if (!text.startsWith(`${config.baseUrl}/`)) return null
  const [path = ''] = text.slice(config.baseUrl.length).split(/[?#]/, 1)
  const id = /^\/(?:@\w+|users\/\w+\/statuses)\/(\d+)(?:\/embed)?\/?$/.exec(path)?.[1]
  return id !== undefined && isId(id) ? asId<StatusId>(id) : null
}
