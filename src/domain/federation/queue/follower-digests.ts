// Which followers of an account live on which server, so that two servers can tell whether they agree
// (FEP-8fcf, https://w3id.org/fep/8fcf).
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { groupBy } from '#lib/collections.ts'
import { actorUri } from '#domain/server/instance/urls.ts'
import { deleteFollows, lockPair } from '#domain/social/relationships/rows.ts'
import type { AccountId } from '#lib/id.ts'

/** XOR of the SHA-256 of each address, in lower-case hex. Of none it is all zeros. */
export function digestOfFollowers(uris: readonly string[]): string {
  const sum = Buffer.alloc(32)
  for (const uri of uris) {
    const hash = createHash('sha256').update(uri).digest()
    for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] as number) ^ (hash[i] as number)
  }
  return sum.toString('hex')
}

/** Addresses of a local account's followers on one host, at most `max`, or null when there are more. */
export async function listFollowersOn(
  reader: Reader,
  { accountId, host, max }: { accountId: AccountId; host: string; max: number },
): Promise<string[] | null> {
  const { rows } = await sql<{ uri: string }>`
    select a.uri from follows f join accounts a on a.id = f.account_id
    where f.target_account_id = ${accountId} and a.uri_host = ${host} and a.uri is not null
    limit ${max + 1}`.execute(reader.db)
  return rows.length > max ? null : rows.map((row) => row.uri)
}

/**
 * The digests of a local account's followers, by the host on which they live: computed for all at once, because an
 * activity goes to many. Null when there are more than `max`.
 */
export async function loadFollowerDigests(
  reader: Reader,
  accountId: AccountId,
  max: number,
): Promise<Map<string, string> | null> {
  const { rows } = await sql<{ host: string; uri: string }>`
    select a.uri_host as host, a.uri from follows f join accounts a on a.id = f.account_id
    where f.target_account_id = ${accountId} and a.uri_host is not null and a.uri is not null
    limit ${max + 1}`.execute(reader.db)
  if (rows.length > max) return null
  const digests = new Map<string, string>()
  for (const [host, followers] of groupBy(rows, (row) => row.host)) {
    digests.set(host, digestOfFollowers(followers.map(({ uri }) => uri)))
  }
  return digests
}

export interface LocalFollower {
  id: AccountId
  username: string
}

/** Local followers of an account of another server, and how their addresses read. */
export async function listLocalFollowers(
  reader: Reader,
  accountId: AccountId,
): Promise<Map<string, LocalFollower>> {
  const { rows } = await sql<LocalFollower>`
    select a.id, a.username from follows f join accounts a on a.id = f.account_id
    where f.target_account_id = ${accountId} and a.domain is null`.execute(reader.db)
  return new Map(rows.map((row) => [actorUri(reader.config, row.username), row]))
}

/** Ends a follow of which the followed account's server knows nothing. */
export async function forgetFollow(
  ctx: Ctx,
  accountId: AccountId,
  targetAccountId: AccountId,
): Promise<void> {
  const pair = { accountId, targetAccountId }
  await ctx.transaction(async (tx) => {
    await lockPair(tx, pair)
    for (const gone of await deleteFollows(tx, [pair])) await tx.emit({ type: 'follow.deleted', ...gone })
  })
}
