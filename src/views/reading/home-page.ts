import type { Status } from '#entities/status.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { Page, PageRequest } from '#lib/page.ts'
import { fillPage } from './fill-page.ts'
import { isHidden } from '../content/filters.ts'
import { viewStatuses } from '../content/statuses.ts'
import type { StatusId } from '#lib/id.ts'

/**
 * A page of the home timeline, or of a list, without what the viewer's filters hide there. Its cursors are those of
 * the feed.
 */
export async function viewHomePage(
  ctx: Ctx,
  viewer: Viewer,
  list: (page: PageRequest) => Promise<Page<StatusId>>,
  request: PageRequest,
): Promise<Page<Status>> {
  const { page, view } = await fillPage(
    request,
    list,
    ({ items }) => viewShown(ctx, viewer, items),
    (shown) => shown.length === 0,
  )
  return { ...page, items: view }
}

async function viewShown(ctx: Ctx, viewer: Viewer, ids: readonly StatusId[]): Promise<Status[]> {
  return (await viewStatuses(ctx, viewer, ids)).filter((status) => !isHidden(status, 'home'))
}
