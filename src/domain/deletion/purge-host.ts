// A server of which nothing is to be left here.
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { dropDeliveries } from '#domain/exchange/deliveries.ts'
import { dropIncoming } from '#domain/exchange/incoming.ts'
import { abandonFiles } from '#domain/media/files.ts'
import { isBelow, listHostsBelow, type HostPair } from '#domain/moderation/hosts-below.ts'
import { endFollowsOf } from './end-follows.ts'
import { removeMarksOf } from './remove-marks.ts'
import { removeStatusesOf } from './remove-statuses.ts'

const batch = 100

export interface Purged {
  accounts: number
  emojis: number
}

/**
 * Removes all accounts of a domain and those below it, with all that they had, its emoji, and what waits to be sent
 * there or came from there. Unlike a deleted account they leave no trace: where the server is not blocked, they may come
 * again. `dryRun` only counts. Safe to run again.
 */
export async function purgeHost(ctx: Ctx, domain: string, { dryRun = false } = {}): Promise<Purged> {
  const pairs = await listHostsBelow(ctx, domain)
  if (dryRun) return count(ctx, domain, pairs)
  await dropDeliveries(ctx, domain)
  await dropIncoming(ctx, domain)
  let accounts = 0
  for (const pair of pairs) accounts += await purgeAccounts(ctx, pair)
  const emojis = await removeEmojis(ctx, domain)
  await sql`
    update severance_events set purged = true
    where target_name = ${domain} and type in ('domain_block', 'user_domain_block')`.execute(ctx.db)
  return { accounts, emojis }
}

async function count(reader: Reader, domain: string, pairs: readonly HostPair[]): Promise<Purged> {
  let accounts = 0
  for (const pair of pairs) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from accounts where ${isOf(pair)}`.execute(reader.db)
    accounts += rows[0]?.count ?? 0
  }
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from custom_emojis where domain is not null and ${isBelow(sql`domain`, domain)}`.execute(
    reader.db,
  )
  return { accounts, emojis: rows[0]?.count ?? 0 }
}

const isOf = ({ domain, uriHost }: HostPair) =>
  sql<boolean>`domain = ${domain} and uri_host is not distinct from ${uriHost}`

async function purgeAccounts(ctx: Ctx, pair: HostPair): Promise<number> {
  let purged = 0
  for (;;) {
    const { rows } = await sql<{ id: Id }>`
      select id from accounts where ${isOf(pair)} order by id limit ${batch}`.execute(ctx.db)
    for (const { id } of rows) {
      await endFollowsOf(ctx, id)
      await removeStatusesOf(ctx, id)
      await removeMarksOf(ctx, id)
      await ctx.transaction((tx) => removeRow(tx, id))
    }
    purged += rows.length
    if (rows.length < batch) return purged
  }
}

/** All that is left goes with the row. */
async function removeRow(tx: Tx, id: Id): Promise<void> {
  await sql`
    update accounts set moved_to_account_id = null, version = version + 1 where moved_to_account_id = ${id}`.execute(
    tx.db,
  )
  await sql`
    update statuses set in_reply_to_id = null, version = version + 1
    where in_reply_to_id in (select id from statuses where account_id = ${id}) and account_id <> ${id}`.execute(
    tx.db,
  )
  const { rows } = await sql<Record<string, string | null>>`
    delete from accounts where id = ${id} and domain is not null
    returning avatar_key, avatar_static_key, header_key, header_static_key`.execute(tx.db)
  await abandonFiles(
    tx,
    rows.flatMap((row) => Object.values(row)),
  )
  await tx.emit({ type: 'files.abandoned' })
}

async function removeEmojis(ctx: Ctx, domain: string): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await ctx.transaction(async (tx) => {
      const { rows } = await sql<{
        shortcode: string
        domain: string
        image_key: string | null
        static_key: string | null
      }>`
        delete from custom_emojis where id = any(array(
          select id from custom_emojis where domain is not null and ${isBelow(sql`domain`, domain)} limit ${batch}))
        returning shortcode, domain, image_key, static_key`.execute(tx.db)
      await abandonFiles(
        tx,
        rows.flatMap((row) => [row.image_key, row.static_key]),
      )
      return rows.length
    })
    removed += count
    if (count < batch) return removed
  }
}
