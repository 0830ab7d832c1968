import type { FamiliarFollowers, MutedAccount } from '#entities/account.ts'
import type { Relationship } from '#entities/relationship.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { notFound } from '#lib/errors.ts'
import { formatTime } from '#lib/time/time.ts'
import { loadFamiliarFollowers } from '#domain/social/relationships/lists.ts'
import { loadRelations } from '#domain/social/relationships/queries.ts'
import { loadAccountViews } from '../identity/accounts.ts'
import { renderRelationship } from '../render/relationship.ts'
import type { AccountId } from '#lib/id.ts'

/** How the viewer stands to accounts, in the order of `ids`, by one query. Missing ones are left out. */
export async function viewRelationships(
  ctx: Ctx,
  viewer: Viewer,
  ids: readonly AccountId[],
  options: { withSuspended?: boolean | undefined } = {},
): Promise<Relationship[]> {
  const relations = await loadRelations(ctx, viewer.accountId, ids, options)
  return [...new Set(ids)].flatMap((id) => {
    const relation = relations.get(id)
    return relation ? [renderRelationship(ctx.config, relation)] : []
  })
}

/** As `viewRelationships` for one account, suspended ones too. Throws `not_found`. */
export async function viewRelationship(ctx: Ctx, viewer: Viewer, id: AccountId): Promise<Relationship> {
  const [relationship] = await viewRelationships(ctx, viewer, [id], { withSuspended: true })
  if (!relationship) throw notFound()
  return relationship
}

/** Accounts that the viewer mutes, with the time when that ends. */
export async function viewMutedAccounts(
  ctx: Ctx,
  viewer: Viewer,
  ids: readonly AccountId[],
): Promise<MutedAccount[]> {
  const accounts = await loadAccountViews(ctx, ids)
  const relations = await loadRelations(ctx, viewer.accountId, ids)
  return ids.flatMap((id) => {
    const account = accounts.get(id)
    if (!account) return []
    const expiresAt = relations.get(id)?.muting_expires_at ?? null
    return [{ ...account, mute_expires_at: expiresAt === null ? null : formatTime(expiresAt) }]
  })
}

/** For each account, who of those the viewer follows follows it too, in the order of `ids`. */
export async function viewFamiliarFollowers(
  ctx: Ctx,
  viewer: Viewer,
  ids: readonly AccountId[],
): Promise<FamiliarFollowers[]> {
  const familiar = await loadFamiliarFollowers(ctx, viewer.accountId, ids)
  const accounts = await loadAccountViews(ctx, [...familiar.values()].flat())
  return [...new Set(ids)].flatMap((id) => {
    const followers = familiar.get(id)
    return followers ? [{ id, accounts: followers.flatMap((follower) => accounts.get(follower) ?? []) }] : []
  })
}
