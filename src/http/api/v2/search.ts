import { z } from 'zod'
import { searchAccounts } from '#domain/accounts/search.ts'
import { readStatusUrl } from '#domain/search/read-status-url.ts'
import { filterVisible } from '#domain/statuses/lists.ts'
import { searchTags } from '#domain/tags/queries.ts'
import { badRequest, unauthorized } from '#lib/errors.ts'
import { id, limit, offset, requiredText, truthy, word } from '#http/kit/fields.ts'
import { route, type Call } from '#http/kit/route.ts'
import { viewAccounts } from '#views/accounts.ts'
import { viewStatuses } from '#views/statuses.ts'
import { viewTags } from '#views/tags.ts'

const searchParams = z.object({
  q: requiredText(),
  type: word(['accounts', 'hashtags', 'statuses']),
  limit: limit(20),
  offset: offset(),
  resolve: truthy(),
  following: truthy(),
  exclude_unreviewed: truthy(),
  account_id: id(),
  min_id: id(),
  max_id: id(),
})

type SearchCall = Call<z.output<typeof searchParams>, 'optional'>
type Kind = 'accounts' | 'hashtags' | 'statuses'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v2/search',
    auth: 'optional',
    scopes: ['read', 'read:search'],
    params: searchParams,
    handle: search,
  }),
]

/** Accounts and hashtags by the beginning of their names, statuses by their address. */
async function search(call: SearchCall) {
  assertAllowed(call)
  const wants = (kind: Kind) => call.params.type === undefined || call.params.type === kind
  const [accounts, statuses, hashtags] = await Promise.all([
    wants('accounts') ? findAccounts(call) : [],
    wants('statuses') ? findStatuses(call) : [],
    wants('hashtags') ? findTags(call) : [],
  ])
  return { accounts, statuses, hashtags, collections: [] }
}

function assertAllowed({ params, viewer }: SearchCall): void {
  if (params.q.trim() === '') throw badRequest('param is missing or the value is empty or invalid: q')
  if (viewer) return
  if (params.offset > 0) {
    throw unauthorized('Search queries pagination is not supported without authentication')
  }
  if (params.resolve) {
    throw unauthorized(
      'Search queries that resolve remote resources are not supported without authentication',
    )
  }
}

/** Pages are counted within one kind: without it there is only the first. */
const pageOf = ({ limit: most, offset: from, type }: SearchCall['params']) => ({
  limit: most,
  offset: type === undefined ? 0 : from,
})

async function findAccounts({ ctx, viewer, params }: SearchCall) {
  const options = { text: params.q, following: params.following, ...pageOf(params) }
  return viewAccounts(ctx, await searchAccounts(ctx, viewer?.accountId ?? null, options))
}

async function findStatuses({ ctx, viewer, params }: SearchCall) {
  const named = readStatusUrl(ctx.config, params.q.trim())
  if (named === null) return []
  return viewStatuses(ctx, viewer, await filterVisible(ctx, viewer?.accountId ?? null, [named]))
}

async function findTags({ ctx, viewer, params }: SearchCall) {
  const excludeUnreviewed = params.exclude_unreviewed ?? false
  return viewTags(
    ctx,
    viewer,
    await searchTags(ctx, { text: params.q, excludeUnreviewed, ...pageOf(params) }),
  )
}
