import type { CredentialAccount } from '#entities/account.ts'
import type { Ctx } from '#ports/ctx.ts'
import { findOwnLine } from '#domain/identity/accounts/load.ts'
import { preferencesOf } from '#domain/identity/accounts/preferences.ts'
import { getOwnProfile, type OwnProfile } from '#domain/identity/accounts/queries.ts'
import { notFound } from '#lib/errors.ts'
import { hydrateAccountStatics, renderLine } from './hydrate-accounts.ts'
import { renderSourceFields } from './profile.ts'
import { renderRole } from '../render/role.ts'
import type { AccountId } from '#lib/id.ts'

/**
 * CredentialAccount (https://docs.joinmastodon.org/entities/Account/#CredentialAccount): one's own account, by no query
 * while nothing of it has changed: apps ask for it at every start.
 */
export async function viewCredentialAccount(ctx: Ctx, accountId: AccountId): Promise<CredentialAccount> {
  const line = await findOwnLine(ctx, accountId)
  const fixed = line && (await hydrateAccountStatics(ctx, [line])).get(accountId)
  if (!line || !fixed) throw notFound()
  const own = await getKnownProfile(ctx, accountId)
  return {
    ...renderLine(fixed, line),
    source: renderSource(own, line.follow_requests_count),
    role: renderRole(own.role),
  }
}

async function getKnownProfile(ctx: Ctx, accountId: AccountId): Promise<OwnProfile> {
  const known = ctx.caches.profiles.get(accountId, async () => {
    const value = await getOwnProfile(ctx, accountId)
    return { value, changesWith: [`account ${accountId}`, `user ${value.user_id}`, 'roles'] }
  })
  return (await known) as OwnProfile
}

function renderSource(own: OwnProfile, followRequests: number): CredentialAccount['source'] {
  const preferences = preferencesOf(own.settings, own.locked)
  return {
    privacy: preferences.privacy,
    sensitive: preferences.sensitive,
    language: preferences.language,
    note: own.note,
    fields: renderSourceFields(own),
    follow_requests_count: followRequests,
    hide_collections: own.hide_collections,
    discoverable: own.discoverable,
    indexable: own.indexable,
    attribution_domains: own.attribution_domains,
    quote_policy: preferences.quotePolicy,
    reply_policy: preferences.replyPolicy,
  }
}
