// The replies to a status of another server, as the servers of the thread list them.
import { claimBranches, claimReplies, type ReplyRoot } from '#domain/content/statuses/reply-trees.ts'
import { loadKnownStatuses } from '#domain/content/statuses/remote/remote-references.ts'
import type { Ctx } from '#ports/ctx.ts'
import { fetchDocument } from '#federation/fetch/fetch-document.ts'
import { isObject, isSameHost, toId, toIds, toList, type JsonObject } from '#federation/kit/json.ts'
import { isOwnUri } from '#federation/kit/uris.ts'
import { inParallel } from '#lib/concurrency/semaphore.ts'
import { maxParents } from '../notes/limits.ts'
import { ensureStatus } from '../notes/status.ts'
import type { StatusId } from '#lib/id.ts'

/** Of one thread, however many it says there are. */
const max = { replies: 1000, pages: 500, pagesEach: 50, milliseconds: 600_000 }
/** Requests at a time: a server that does not answer holds up few of the others. */
const concurrency = 8

interface Walk {
  replies: number
  /** Addresses that were asked, whatever came of it. */
  tries: number
  pages: number
  until: number
  seen: Set<string>
  onReply: (count: number) => Promise<void>
}

/**
 * Fetches the replies to a status of another server that are missing here, the replies to those, and so on: at most 1000,
 * in at most 500 requests for lists. Not more often than every quarter of an hour. Returns how many came. `onReply` is
 * told that each time.
 */
export async function fetchReplies(
  ctx: Ctx,
  statusId: StatusId,
  onReply: (count: number) => Promise<void> = async () => {},
): Promise<number> {
  const root = await claimReplies(ctx, statusId)
  if (!root) return 0
  const walk: Walk = {
    replies: 0,
    tries: 0,
    pages: 0,
    until: performance.now() + max.milliseconds,
    seen: new Set([root.uri]),
    onReply,
  }
  for (let level = [root]; level.length > 0 && mayGoOn(walk);) {
    const ids = await fetchLevel(ctx, level, walk)
    const parentIds = level.map((branch) => branch.id)
    level = await claimBranches(ctx, ids, parentIds)
  }
  return walk.replies
}

const mayGoOn = (walk: Walk) =>
  walk.tries < max.replies && walk.pages < max.pages && performance.now() < walk.until

/** The replies to some statuses. Returns those that may have replies themselves. */
async function fetchLevel(ctx: Ctx, level: readonly ReplyRoot[], walk: Walk): Promise<StatusId[]> {
  const listed = new Set<string>()
  await inParallel(level, concurrency, async (branch) => {
    if (listed.size >= max.replies) return
    for (const uri of await listReplies(ctx, branch, walk)) listed.add(uri)
  })
  const foreign = [...listed].filter((uri) => !walk.seen.has(uri) && !isOwnUri(ctx.config, uri))
  for (const uri of foreign) walk.seen.add(uri)
  const known = await loadKnownStatuses(ctx, foreign)
  const ids = [...known.values()].map((status) => status.id)
  const missing = foreign.filter((uri) => !known.has(uri))
  const places = new Map(missing.map((uri, place) => [uri, place]))
  const begun = new Map<string, Promise<unknown>>()

  async function fetchOne(uri: string): Promise<void> {
    if (!mayGoOn(walk)) return
    walk.tries += 1
    const beforeStored = async ({ inReplyTo }: JsonObject) => {
      // What it answers comes first where it is listed first. Only then: else two might wait for each other.
      const parentUri = toId(inReplyTo) ?? ''
      if (Number(places.get(parentUri)) < Number(places.get(uri))) await begun.get(parentUri)
    }
    // Anybody may answer: who reads a thread has not asked for each of them.
    const id = await ensureStatus(ctx, uri, { depth: maxParents, unasked: true, beforeStored })
    if (id === null) return
    ids.push(id)
    walk.replies += 1
    await walk.onReply(walk.replies)
  }

  await inParallel(missing, concurrency, (uri) => {
    const fetched = fetchOne(uri)
    begun.set(
      uri,
      fetched.catch(() => {}),
    )
    return fetched
  })
  return ids
}

/** The items of a collection and its pages, each from the host of the status. */
async function listReplies(ctx: Ctx, branch: ReplyRoot, walk: Walk): Promise<string[]> {
  const uris: string[] = []
  const pages = new Set<string>()
  for (let next: unknown = branch.repliesUrl; next && mayGoOn(walk) && pages.size < max.pagesEach;) {
    const page = await readPage(ctx, { next, branch, pages, walk })
    if (!page) break
    uris.push(...toIds(page['items']), ...toIds(page['orderedItems']))
    if (uris.length >= max.replies) break
    next = toList(page['first'])[0] ?? page['next']
  }
  return [...new Set(uris)].slice(0, max.replies)
}

interface PageRequest {
  next: unknown
  branch: ReplyRoot
  pages: Set<string>
  walk: Walk
}

/** A page that came along is not fetched. None is read twice. */
async function readPage(ctx: Ctx, { next, branch, pages, walk }: PageRequest): Promise<JsonObject | null> {
  const url = toId(next)
  const name = url ?? `embedded ${pages.size}`
  if (pages.has(name)) return null
  pages.add(name)
  if (isObject(next) && (next['items'] !== undefined || next['orderedItems'] !== undefined)) return next
  if (url === null || !isSameHost(url, branch.uri)) return null
  walk.pages += 1
  const fetched = await fetchDocument(ctx, url)
  return fetched.kind === 'document' ? fetched.document : null
}
