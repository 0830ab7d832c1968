// Pictures of accounts and emoji of other servers at addresses that hold from the first answer on: whoever asks before
// they were copied waits for the copy. Nothing is fetched but what a known account or emoji names.
import { z } from 'zod'
import { mediaUrl } from '#domain/server/instance/urls.ts'
import { notFound } from '#lib/errors.ts'
import type { Ctx } from '#ports/ctx.ts'
import { pathId } from '#http/kit/params/fields.ts'
import { raw, reply, route } from '#http/kit/route.ts'
import type { AccountId, CustomEmojiId } from '#lib/id.ts'

/** The copy may be replaced, and then this leads to another one. */
const headers = { 'cache-control': 'public, max-age=600' }

function redirect({ config }: Ctx, key: string | null) {
  if (key === null) throw notFound()
  const location = mediaUrl(config, key)
  return reply(302, new Response(null, { status: 302, headers: { ...headers, location } }))
}

export const routes = [
  route({
    method: 'GET',
    path: '/media_proxy/accounts/:id/:kind',
    returns: raw(),
    statuses: [302],
    auth: 'none',
    open: true,
    params: z.object({ id: pathId<AccountId>(), kind: z.string() }),
    async handle({ ctx, params: { id, kind } }) {
      if (kind !== 'avatar' && kind !== 'header') throw notFound()
      return redirect(ctx, await ctx.remote.ensureImage(id, kind))
    },
  }),
  route({
    method: 'GET',
    path: '/media_proxy/emojis/:id',
    returns: raw(),
    statuses: [302],
    auth: 'none',
    open: true,
    params: z.object({ id: pathId<CustomEmojiId>() }),
    handle: async ({ ctx, params: { id } }) => redirect(ctx, await ctx.remote.ensureEmoji(id)),
  }),
]
