import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Status } from '#entities/status.ts'
import { getAccountLine } from '#domain/identity/accounts/load.ts'
import { refreshPosts } from '#domain/content/statuses/refreshes.ts'
import { readAccountStatuses } from '#domain/reading/timelines/account.ts'
import { pageOf, paging, pathId, text, truthy } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { refreshHeader } from '#views/content/refreshes.ts'
import { viewSeen } from '#views/content/statuses.ts'
import type { PageRequest } from '#lib/page.ts'
import type { AccountId } from '#lib/id.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/accounts/:id/statuses',
    returns: listOf(Status),
    auth: 'optional',
    replicated: true,
    scopes: ['read', 'read:statuses'],
    caching: 'anonymous',
    params: z.object({
      id: pathId<AccountId>(),
      ...paging(20),
      only_media: truthy(),
      exclude_replies: truthy(),
      exclude_reblogs: truthy(),
      pinned: truthy(),
      tagged: text(),
    }),
    async handle({ ctx, viewer, params }) {
      const account = await getAccountLine(ctx, params.id)
      if (account.suspended) return []
      const options = {
        onlyMedia: params.only_media,
        excludeReplies: params.exclude_replies,
        excludeReblogs: params.exclude_reblogs,
        pinned: params.pinned,
        tagged: params.tagged,
      }
      const query = { accountId: account.id, options }
      const request = pageOf(params)
      // Whoever opens a profile sees more than what came here by itself, as soon as it is there.
      const isOpened = viewer && account.domain !== null && isFirst(request)
      const refresh = isOpened ? await refreshPosts(ctx, viewer.accountId, account.id) : null
      const page = await readAccountStatuses(ctx, viewer?.accountId ?? null, query, request)
      const headers = refreshHeader({ kind: 'account', id: account.id }, refresh)
      return { ...listed(page, await viewSeen(ctx, viewer, page)), headers }
    },
  }),
]

const isFirst = ({ maxId, sinceId, minId }: PageRequest) =>
  maxId === undefined && sinceId === undefined && minId === undefined
