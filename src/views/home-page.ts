import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import type { Viewer } from '#domain/accounts/viewer.ts'
import type { Page, PageRequest } from '#lib/page.ts'
import { isHidden } from './filters.ts'
import type { StatusJson } from './render/status.ts'
import { viewStatuses } from './statuses.ts'

/** Pages that are read for one that the viewer's filters would leave empty. */
const mostPages = 5

/**
 * A page of the home timeline, or of a list, without what the viewer's filters hide there. Its cursors are those of
 * the feed. Clients take an empty page for the end: while all of one is hidden, what follows is read too.
 */
export async function viewHomePage(
  ctx: Ctx,
  viewer: Viewer,
  list: (page: PageRequest) => Promise<Page<Id>>,
  request: PageRequest,
): Promise<Page<StatusJson>> {
  let found = await list(request)
  let items = await viewShown(ctx, viewer, found.items)
  for (let read = 1; items.length === 0 && found.full && read < mostPages; read++) {
    const next = await list(following(request, found))
    items = await viewShown(ctx, viewer, next.items)
    found = joined(found, next, request)
  }
  return { ...found, items }
}

async function viewShown(ctx: Ctx, viewer: Viewer, ids: readonly Id[]): Promise<StatusJson[]> {
  return (await viewStatuses(ctx, viewer, ids)).filter((status) => !isHidden(status, 'home'))
}

function following(request: PageRequest, { newest, oldest }: Page<Id>): PageRequest {
  return request.minId === undefined
    ? { ...request, maxId: oldest ?? undefined }
    : { ...request, minId: newest ?? undefined }
}

function joined(found: Page<Id>, next: Page<Id>, request: PageRequest): Page<Id> {
  const [above, below] = request.minId === undefined ? [found, next] : [next, found]
  return { ...next, newest: above.newest ?? below.newest, oldest: below.oldest ?? above.oldest }
}
