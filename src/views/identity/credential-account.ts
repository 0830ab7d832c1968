import type { CredentialAccount } from '#entities/account.ts'
import type { Ctx } from '#ports/ctx.ts'
import { preferencesOf } from '#domain/identity/accounts/preferences.ts'
import { getOwnProfile, type OwnProfile } from '#domain/identity/accounts/queries.ts'
import { viewAccount } from './accounts.ts'
import { renderSourceFields } from './profile.ts'
import { renderRole } from '../render/role.ts'
import type { AccountId } from '#lib/id.ts'

/** CredentialAccount (https://docs.joinmastodon.org/entities/Account/#CredentialAccount): one's own account. */
export async function viewCredentialAccount(ctx: Ctx, accountId: AccountId): Promise<CredentialAccount> {
  const account = await viewAccount(ctx, accountId)
  const own = await getOwnProfile(ctx, accountId)
  return { ...account, source: renderSource(own), role: renderRole(own.role) }
}

function renderSource(own: OwnProfile): CredentialAccount['source'] {
  const preferences = preferencesOf(own.settings, own.locked)
  return {
    privacy: preferences.privacy,
    sensitive: preferences.sensitive,
    language: preferences.language,
    note: own.note,
    fields: renderSourceFields(own),
    follow_requests_count: own.follow_requests_count,
    hide_collections: own.hide_collections,
    discoverable: own.discoverable,
    indexable: own.indexable,
    attribution_domains: own.attribution_domains,
    quote_policy: preferences.quotePolicy,
  }
}
