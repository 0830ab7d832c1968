import { sql, type Selectable } from 'kysely'
import type { AccountsTable } from '#db/schema/accounts.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { AccountId } from '#lib/id.ts'

/** What the server of an account says of it besides its document. Null: it does not say it, and what is known stays. */
export interface ToldCounts {
  statuses: number | null
  followers: number | null
  following: number | null
  hidesCollections: boolean | null
}

/** Stores what another server counts. Nobody can check it. */
export async function setRemoteCounts(ctx: Ctx, id: AccountId, told: ToldCounts): Promise<void> {
  await ctx.transaction(async (tx) => {
    await sql`
      insert into account_stats (account_id, statuses_count, followers_count, following_count)
      values (${id}, ${told.statuses ?? 0}, ${told.followers ?? 0}, ${told.following ?? 0})
      on conflict (account_id) do update set
        statuses_count = coalesce(${told.statuses}::int, account_stats.statuses_count),
        followers_count = coalesce(${told.followers}::int, account_stats.followers_count),
        following_count = coalesce(${told.following}::int, account_stats.following_count)`.execute(tx.db)
    await sql`
      update accounts set hide_collections = ${told.hidesCollections}, version = version + 1,
        updated_at = ${new Date(tx.clock.now())}
      where id = ${id} and ${told.hidesCollections}::boolean is not null
        and hide_collections is distinct from ${told.hidesCollections}::boolean`.execute(tx.db)
  })
}

export interface RemoteCollections extends Pick<
  Selectable<AccountsTable>,
  'uri_host' | 'outbox_url' | 'followers_url' | 'following_url' | 'featured_url' | 'featured_tags_url'
> {
  uri: string
  domain: string
}

/** Where the collections of an account of another server are; null for other accounts, and gone ones. */
export async function findRemoteCollections(
  ctx: Pick<Ctx, 'db'>,
  id: AccountId,
): Promise<RemoteCollections | null> {
  const { rows } = await sql<RemoteCollections>`
    select uri, uri_host, domain, outbox_url, followers_url, following_url, featured_url, featured_tags_url
    from accounts
    where id = ${id} and domain is not null and uri is not null and deleted_at is null and suspended_at is null`.execute(
    ctx.db,
  )
  return rows[0] ?? null
}
