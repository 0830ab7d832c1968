// Links in mails. A row says what a link is for; its secret is derived from the row's id and the server's key,
// so that nothing that opens an account is stored.
import { sql, type Selectable } from 'kysely'
import type { UserTokensTable } from '#db/schema/accounts.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { readSignedId, signId } from '#lib/secrets.ts'
import { asId, type UserId, type UserTokenId } from '#lib/id.ts'

export type TokenPurpose = 'confirmation' | 'reset'

const hour = 3_600_000
const lifetimes: Record<TokenPurpose, number> = { confirmation: 48 * hour, reset: 6 * hour }

export type UserToken = Pick<Selectable<UserTokensTable>, 'id' | 'user_id' | 'email' | 'redirect_uri'>

/** Makes a token row. A new link for a reset ends older ones. */
export async function insertUserToken(
  tx: Tx,
  token: { userId: UserId; purpose: TokenPurpose; email?: string; redirectUri?: string | null },
): Promise<UserTokenId> {
  if (token.purpose === 'reset') await deleteUserTokens(tx, token.userId, 'reset')
  const id = tx.newId<UserTokenId>()
  const now = tx.clock.now()
  await tx.db
    .insertInto('user_tokens')
    .values({
      id,
      user_id: token.userId,
      purpose: token.purpose,
      email: token.email ?? null,
      redirect_uri: token.redirectUri ?? null,
      expires_at: new Date(now + lifetimes[token.purpose]),
      created_at: new Date(now),
    })
    .execute()
  return id
}

/** Ends all links of this purpose that the user has. */
export async function deleteUserTokens(tx: Tx, userId: UserId, purpose: TokenPurpose): Promise<void> {
  await sql`delete from user_tokens where user_id = ${userId} and purpose = ${purpose}`.execute(tx.db)
}

/** The secret part of a mailed link. */
export function mailedToken(ctx: Ctx, purpose: TokenPurpose, id: UserTokenId): string {
  return signId(ctx.secrets.secretKeyBase, `mailed:${purpose}`, id)
}

/** The id in a mailed token that this server made for this purpose, or null. Says nothing of its being used or old. */
export function readMailedToken(ctx: Ctx, purpose: TokenPurpose, text: string): UserTokenId | null {
  const id = readSignedId(ctx.secrets.secretKeyBase, `mailed:${purpose}`, text)
  return id === null ? null : asId<UserTokenId>(id)
}

/** The unexpired token. Inside a transaction its row is locked, so that a link works once. */
export async function findUserToken(
  reader: Reader,
  purpose: TokenPurpose,
  id: UserTokenId,
): Promise<UserToken | null> {
  const { rows } = await sql<UserToken>`
    select id, user_id, email, redirect_uri from user_tokens
    where id = ${id} and purpose = ${purpose} and expires_at > ${new Date(reader.clock.now())}
    for update`.execute(reader.db)
  return rows[0] ?? null
}
