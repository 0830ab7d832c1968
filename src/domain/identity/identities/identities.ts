// As whom providers of identities know the users of this server. What a provider claims links nothing by itself: a user
// is found by what the provider proved (`provider` and `uid`), or links it while being signed in (AUTH-18).
import { sql } from 'kysely'
import { forbidden } from '#lib/errors.ts'
import type { IdentityId, UserId } from '#lib/id.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import type { ClaimedIdentity } from '#ports/identity-providers.ts'

/** As it is shown to people, such as `Example ID`. */
export function providerName(ctx: Pick<Ctx, 'identityProviders'>, provider: string): string {
  return ctx.identityProviders.find(({ name }) => name === provider)?.displayName ?? provider.toUpperCase()
}

/**
 * Returns the user whom this identity belongs to, or null. Throws `forbidden` when the provider has given what people are told apart by
 * to somebody else.
 */
export async function findIdentityUser(ctx: Ctx, claimed: ClaimedIdentity): Promise<UserId | null> {
  const { rows } = await sql<{ user_id: UserId; subject: string | null }>`
    select user_id, subject from identities
    where provider = ${claimed.provider} and uid = ${claimed.uid}`.execute(ctx.db)
  const found = rows[0]
  if (!found) return null
  if (found.subject !== null && found.subject !== claimed.subject) {
    throw forbidden('identity_changed', { provider: providerName(ctx, claimed.provider) })
  }
  if (found.subject === null) {
    await sql`
      update identities set subject = ${claimed.subject}
      where provider = ${claimed.provider} and uid = ${claimed.uid} and subject is null`.execute(ctx.db)
  }
  return found.user_id
}

/**
 * Returns the confirmed user with the address of this identity, who has no other one of its provider. Only for operators
 * who want addresses to be believed, and only of an address that the provider has verified. Null otherwise.
 */
export async function findUserToAttach(ctx: Ctx, claimed: ClaimedIdentity): Promise<UserId | null> {
  const { attachByEmail } = ctx.config.signIn
  if (!attachByEmail || !claimed.isEmailVerified || claimed.email === null) return null
  const { rows } = await sql<{ id: UserId }>`
    select u.id from users u
    where lower(u.email) = lower(${claimed.email}) and u.confirmed_at is not null
      and not exists (select 1 from identities i where i.user_id = u.id and i.provider = ${claimed.provider})`.execute(
    ctx.db,
  )
  return rows[0]?.id ?? null
}

/** Writes the identity of a user. Throws the database's error when it is somebody's already. */
export async function insertIdentity(tx: Tx, userId: UserId, claimed: ClaimedIdentity): Promise<void> {
  await tx.db
    .insertInto('identities')
    .values({
      id: tx.newId<IdentityId>(),
      user_id: userId,
      provider: claimed.provider,
      uid: claimed.uid,
      subject: claimed.subject,
      created_at: new Date(tx.clock.now()),
    })
    .execute()
}

/**
 * Lets a user sign in by this identity from now on, and tells them by mail. Idempotent. Throws `forbidden` when it is
 * somebody else's, or they have another one of the same provider.
 */
export async function linkIdentity(ctx: Ctx, userId: UserId, claimed: ClaimedIdentity): Promise<void> {
  const provider = providerName(ctx, claimed.provider)
  const owner = await findIdentityUser(ctx, claimed)
  if (owner === userId) return
  if (owner !== null) throw forbidden('identity_of_other', { provider })
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      insert into identities (id, user_id, provider, uid, subject, created_at)
      values (${tx.newId<IdentityId>()}, ${userId}, ${claimed.provider}, ${claimed.uid}, ${claimed.subject},
        ${new Date(tx.clock.now())})
      on conflict do nothing returning id`.execute(tx.db)
    if (rows.length === 0) throw forbidden('identity_one_each', { provider })
    await notifyOfIdentity(tx, userId, { provider, added: true })
  })
}

/**
 * Takes an identity from a user, and tells them by mail. Unknown ones are no error. Throws `forbidden` for the last one where
 * passwords open nothing.
 */
export async function unlinkIdentity(ctx: Ctx, userId: UserId, provider: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      delete from identities where user_id = ${userId} and provider = ${provider} returning id`.execute(tx.db)
    if (rows.length === 0) return
    const left = await listIdentities(tx, userId)
    if (ctx.config.signIn.onlyByOthers && left.length === 0) throw forbidden('last_way_in')
    await notifyOfIdentity(tx, userId, { provider: providerName(ctx, provider), added: false })
  })
}

export interface ListedIdentity {
  provider: string
  uid: string
}

/** Returns the identities of a user, oldest first: one of each provider at most. */
export async function listIdentities(reader: Reader, userId: UserId): Promise<ListedIdentity[]> {
  const { rows } = await sql<ListedIdentity>`
    select provider, uid from identities where user_id = ${userId} order by id limit 20`.execute(reader.db)
  return rows
}

async function notifyOfIdentity(
  tx: Tx,
  userId: UserId,
  change: { provider: string; added: boolean },
): Promise<void> {
  const { rows } = await sql<{ email: string }>`select email from users where id = ${userId}`.execute(tx.db)
  if (!rows[0]) return
  await tx.emit({ type: 'mail.requested', mail: { kind: 'identity', userId, to: rows[0].email, ...change } })
}
