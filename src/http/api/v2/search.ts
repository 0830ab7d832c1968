import { z } from 'zod'
import { Search } from '#entities/search.ts'
import { getAccountLine } from '#domain/identity/accounts/load.ts'
import { listFindable, searchAccounts } from '#domain/identity/accounts/search.ts'
import { findNamed, isUrl, type Named } from '#domain/reading/search/find-named.ts'
import { resolveNamed } from '#domain/reading/search/resolve-named.ts'
import { searchCollections } from '#domain/reading/search/search-collections.ts'
import { searchStatuses } from '#domain/reading/search/search-statuses.ts'
import { findDeeds, mayAvoid, type Deeds } from '#domain/content/statuses/deeds/kept-deeds.ts'
import { filterVisible } from '#domain/content/statuses/lists.ts'
import { searchTags } from '#domain/content/tags/queries.ts'
import { badRequest, unauthorized } from '#lib/errors.ts'
import { cursor, id, limit, offset, requiredText, truthy, word } from '#http/kit/params/fields.ts'
import { route, type Call } from '#http/kit/route.ts'
import type { Found } from '#ports/remote.ts'
import { viewAccounts } from '#views/identity/accounts.ts'
import { loadCollectionViews, viewCollections } from '#views/content/collections.ts'
import { viewStatuses } from '#views/content/statuses.ts'
import { viewTags } from '#views/content/tags.ts'
import type { AccountId } from '#lib/id.ts'

const searchParams = z.object({
  q: requiredText(),
  type: word(['accounts', 'hashtags', 'statuses', 'collections']),
  limit: limit(20),
  offset: offset(),
  resolve: truthy(),
  following: truthy(),
  exclude_unreviewed: truthy(),
  account_id: id<AccountId>(),
  min_id: cursor(),
  max_id: cursor(),
})

const nothing = { accounts: [], statuses: [], hashtags: [], collections: [] }

type SearchCall = Call<z.output<typeof searchParams>, 'optional'>
type Kind = 'accounts' | 'hashtags' | 'statuses' | 'collections'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v2/search',
    returns: Search,
    auth: 'optional',
    replicated: true,
    scopes: ['read', 'read:search'],
    params: searchParams,
    handle: search,
  }),
]

/** What an address names and nothing else; or else accounts, hashtags, statuses and collections by their words. */
async function search(call: SearchCall) {
  const { ctx, viewer, params } = call
  assertAllowed(call)
  const text = params.q.trim()
  const asks = params.resolve ? viewer : null
  const resolved = asks ? await resolveNamed(ctx, asks.accountId, text) : null
  const named = isUrl(text) ? (resolved ?? (await findNamed(ctx, text))) : null
  if (named) return answerNamed(call, named)
  // Whoever asks for what is at an address is not served by other things with similar words.
  if (isUrl(text) && params.resolve) return nothing
  if (params.account_id !== undefined) await getAccountLine(ctx, params.account_id)
  const deeds = viewer && params.type !== 'hashtags' ? await findDeeds(ctx, viewer.accountId, true) : null
  const wants = (kind: Kind) => params.type === undefined || params.type === kind
  const [accounts, statuses, hashtags, collections] = await Promise.all([
    wants('accounts') ? findAccounts(call, deeds, resolved) : [],
    wants('statuses') ? findStatuses(call, deeds) : [],
    wants('hashtags') ? findTags(call) : [],
    wants('collections') ? findCollections(call, deeds) : [],
  ])
  return { accounts, statuses, hashtags, collections }
}

function assertAllowed({ params, viewer }: SearchCall): void {
  if (params.q.trim() === '') throw badRequest('param_missing', { name: 'q' })
  if (viewer) return
  if (params.offset > 0) {
    throw unauthorized('search_paging_needs_user')
  }
  if (params.resolve) {
    throw unauthorized('search_resolve_needs_user')
  }
}

/** Whatever has an address is the only thing that it names; of another kind than asked for, or hidden, it is nothing. */
async function answerNamed({ ctx, viewer, params }: SearchCall, named: Named) {
  const viewerId = viewer?.accountId ?? null
  const asked = (kind: Kind) => params.type === undefined || params.type === kind
  const people = named.kind === 'account' && asked('accounts') ? [named.id] : []
  const statuses = await filterVisible(
    ctx,
    viewerId,
    named.kind === 'status' && asked('statuses') ? [named.id] : [],
  )
  const collections = await loadCollectionViews(
    ctx,
    viewerId,
    named.kind === 'collection' && asked('collections') ? [named.id] : [],
  )
  return {
    accounts: await viewAccounts(ctx, await listFindable(ctx, viewerId, people)),
    statuses: await viewStatuses(ctx, viewer, statuses),
    hashtags: [],
    collections: [...collections.values()],
  }
}

/** Pages are counted within one kind: without it there is only the first. */
const pageOf = ({ limit: max, offset: from, type }: SearchCall['params']) => ({
  limit: max,
  offset: type === undefined ? 0 : from,
})

/** Strangers find by one or two characters only what these name exactly. */
const isTooShort = ({ viewer, params }: SearchCall) => viewer === null && [...params.q.trim()].length < 3

async function findAccounts(
  { ctx, viewer, params }: SearchCall,
  deeds: Deeds | null,
  resolved: Found | null,
) {
  if (params.q.trim().startsWith('#')) return []
  const options = {
    text: params.q,
    following: params.following,
    avoids: mayAvoid(deeds),
    ...pageOf(params),
  }
  const found = await searchAccounts(ctx, viewer?.accountId ?? null, options)
  return viewAccounts(ctx, resolved && options.offset === 0 ? withResolved(found, resolved) : found)
}

/** A server may give an account another handle than the one that was asked for: then the text does not find it. */
function withResolved(found: readonly AccountId[], { kind, id }: Found): readonly AccountId[] {
  return kind !== 'account' || found.includes(id) ? found : [id, ...found.slice(0, -1)]
}

async function findStatuses({ ctx, viewer, params }: SearchCall, deeds: Deeds | null) {
  if (!viewer) return []
  const { account_id: accountId, min_id: minId, max_id: maxId } = params
  const options = { text: params.q, accountId, minId, maxId, deeds, ...pageOf(params) }
  return viewStatuses(ctx, viewer, await searchStatuses(ctx, viewer, options))
}

async function findTags(call: SearchCall) {
  const { ctx, viewer, params } = call
  if (params.q.includes('@')) return []
  const excludeUnreviewed = params.exclude_unreviewed ?? false
  const options = { text: params.q, excludeUnreviewed, exact: isTooShort(call), ...pageOf(params) }
  return viewTags(ctx, viewer, await searchTags(ctx, options))
}

async function findCollections(call: SearchCall, deeds: Deeds | null) {
  const { ctx, viewer, params } = call
  if (isTooShort(call)) return []
  const viewerId = viewer?.accountId ?? null
  const found = await searchCollections(ctx, mayAvoid(deeds) ? viewerId : null, {
    text: params.q,
    ...pageOf(params),
  })
  return viewCollections(ctx, viewerId, found)
}
