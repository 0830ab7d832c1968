import type { Page, PageRequest } from '#lib/page.ts'

/** Pages that are read for one that would be empty. */
const maxPages = 5

/**
 * A page of views where all of a page's items may turn out to be hidden: clients take an empty page for the end, so
 * that what follows is read too. Its cursors are those of what was read.
 */
export async function fillPage<Found extends Page<unknown>, View>(
  request: PageRequest,
  list: (page: PageRequest) => Promise<Found>,
  view: (page: Found) => Promise<View>,
  isEmpty: (view: View) => boolean,
): Promise<{ page: Page<unknown>; view: View }> {
  const first = await list(request)
  let page: Page<unknown> = first
  let shown = await view(first)
  for (let read = 1; isEmpty(shown) && page.full && read < maxPages; read++) {
    const next = await list(following(request, page))
    shown = await view(next)
    page = joined(page, next, request)
  }
  return { page, view: shown }
}

function following(request: PageRequest, { newest, oldest }: Page<unknown>): PageRequest {
  return request.minId === undefined
    ? { ...request, maxId: oldest ?? undefined }
    : { ...request, minId: newest ?? undefined }
}

function joined(found: Page<unknown>, next: Page<unknown>, request: PageRequest): Page<unknown> {
  const [above, below] = request.minId === undefined ? [found, next] : [next, found]
  return { ...next, newest: above.newest ?? below.newest, oldest: below.oldest ?? above.oldest }
}
