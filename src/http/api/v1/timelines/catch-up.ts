// What came while somebody was away: an extension of the Mastodon API.
import { z } from 'zod'
import { CatchUp } from '#entities/personal/catch-up.ts'
import { listOf } from '#entities/entity.ts'
import { Status } from '#entities/status.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Span } from '#domain/reading/timelines/catch-up/entries.ts'
import { cursor, limit, offset, reference, text, truthy, word, words } from '#http/kit/params/fields.ts'
import { offsetLink, urlsOf } from '#http/kit/paging.ts'
import { reply, route } from '#http/kit/route.ts'
import { catchUpKinds, catchUpOrders } from '#lib/catch-up.ts'
import { badRequest } from '#lib/errors.ts'
import { timeToId } from '#lib/ids.ts'
import { parseTime } from '#lib/time/parse-time.ts'
import { viewCatchUp, viewCatchUpStatuses } from '#views/reading/catch-up.ts'
import type { AccountId, IdCursor, StatusId } from '#lib/id.ts'

const scopes = ['read', 'read:statuses']
/** How far it goes back where nothing is said, in milliseconds. */
const usual = 12 * 3_600_000

const spanParams = { since: text(), since_id: cursor(), until_id: cursor() }

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/catch_up',
    returns: CatchUp,
    auth: 'user',
    replicated: true,
    scopes,
    params: z.object(spanParams),
    handle: ({ ctx, viewer, params }) => viewCatchUp(ctx, viewer, readSpan(ctx, params)),
  }),
  route({
    method: 'GET',
    path: '/api/v1/catch_up/statuses',
    returns: listOf(Status),
    auth: 'user',
    replicated: true,
    scopes,
    params: z.object({
      ...spanParams,
      sort: word(catchUpOrders),
      kinds: words(catchUpKinds),
      account_id: reference<AccountId>(),
      thread_id: reference<StatusId>(),
      link_of: reference<StatusId>(),
      with_links: truthy(),
      quiet: truthy(),
      limit: limit(20),
      offset: offset(),
    }),
    async handle({ ctx, viewer, params, request }) {
      const statuses = await viewCatchUpStatuses(ctx, viewer, readSpan(ctx, params), {
        order: params.sort ?? 'newest',
        kinds: params.kinds,
        accountId: params.account_id,
        threadId: params.thread_id,
        linkOf: params.link_of,
        links: params.with_links,
        quiet: params.quiet,
        limit: params.limit,
        offset: params.offset,
      })
      return reply(200, statuses, offsetLink(urlsOf(ctx, request), params, statuses.length))
    },
  }),
]

function readSpan(
  ctx: Ctx,
  {
    since,
    since_id: sinceId,
    until_id: untilId,
  }: { since?: string; since_id?: IdCursor; until_id?: IdCursor },
): Span {
  if (sinceId !== undefined) return { sinceId, untilId }
  const time = since ? parseTime(since) : ctx.clock.now() - usual
  if (time === null) throw badRequest()
  return { sinceId: timeToId(time), untilId }
}
