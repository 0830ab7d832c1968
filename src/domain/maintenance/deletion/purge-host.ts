// A server of which nothing is to be left here.
import { sql, type Selectable } from 'kysely'
import { createEventPace } from '#db/pace-events.ts'
import type { CustomEmojisTable } from '#db/schema/instance.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { dropDeliveries } from '#domain/federation/queue/deliveries.ts'
import { dropIncoming } from '#domain/federation/queue/incoming.ts'
import { mayFederate } from '#domain/server/hosts/may-federate.ts'
import { unprocessable } from '#lib/errors.ts'
import { abandonFiles } from '#domain/content/media/files.ts'
import { requireOtherDomain } from '#domain/trust/moderation/hosts/host-blocks.ts'
import { isBelow, listHostsBelow, type HostPair } from '#domain/server/hosts/hosts-below.ts'
import { removeRemoteAccount } from './remove-account.ts'
import type { AccountId } from '#lib/id.ts'

const batch = 100

export interface Purged {
  accounts: number
  emojis: number
}

export interface PurgeOptions {
  dryRun?: boolean
  /** Called after each account. */
  onRemoved?: () => void
}

/**
 * `purgeHost` by staff, which leaves a row in the audit log. Throws `invalid` for what is no domain, and for this
 * server's own.
 */
export async function purgeHostByStaff(
  ctx: Ctx,
  staff: Staff,
  name: string | undefined,
  options: PurgeOptions = {},
): Promise<Purged & { domain: string }> {
  const domain = requireOtherDomain(ctx, name)
  if (!options.dryRun) {
    await ctx.transaction((tx) =>
      recordAction(tx, staff, { action: 'purge', targetType: 'instance', label: domain }),
    )
  }
  return { domain, ...(await purgeHost(ctx, domain, options)) }
}

/**
 * Has a server purged in the background, and leaves a row in the audit log. Throws `invalid` for what is no domain, and for
 * this server's own.
 */
export async function requestHostPurge(ctx: Ctx, staff: Staff, name: string): Promise<void> {
  const domain = requireOtherDomain(ctx, name)
  await ctx.transaction(async (tx) => {
    await recordAction(tx, staff, { action: 'purge', targetType: 'instance', label: domain })
    await tx.emit({ type: 'host-purge.requested', domain })
  })
}

/** The domains of known accounts with which this server does not speak in limited federation, in order. */
export async function* listNotAllowed(ctx: Ctx): AsyncGenerator<string> {
  if (!ctx.config.limitedFederation) throw unprocessable('no_limited_federation')
  for (let after = ''; ;) {
    const { rows } = await sql<{ domain: string }>`
      select domain from accounts where domain > ${after} order by domain limit 1`.execute(ctx.db)
    if (!rows[0]) return
    after = rows[0].domain
    if (!(await mayFederate(ctx, after))) yield after
  }
}

/**
 * Removes all accounts of a domain and those below it, with all that they had, its emoji, and what waits to be sent
 * there or came from there. Its people's follows, and those of people here, are ended there too. Unlike a deleted account they leave no trace: where the server is not blocked, they may come
 * again. `dryRun` only counts. Safe to run again.
 */
export async function purgeHost(
  ctx: Ctx,
  domain: string,
  { dryRun = false, onRemoved = () => {} }: PurgeOptions = {},
): Promise<Purged> {
  const pairs = await listHostsBelow(ctx, domain)
  if (dryRun) return count(ctx, domain, pairs)
  await dropDeliveries(ctx, domain)
  await dropIncoming(ctx, domain)
  let accounts = 0
  for (const pair of pairs) accounts += await purgeAccounts(ctx, pair, onRemoved)
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

async function purgeAccounts(ctx: Ctx, pair: HostPair, onRemoved: () => void): Promise<number> {
  const pace = createEventPace(ctx)
  let purged = 0
  for (;;) {
    const { rows } = await sql<{ id: AccountId }>`
      select id from accounts where ${isOf(pair)} order by id limit ${batch}`.execute(ctx.db)
    for (const { id } of rows) {
      await ctx.remote.takeLeave(id)
      await removeRemoteAccount(ctx, id, pace)
      onRemoved()
    }
    purged += rows.length
    if (rows.length < batch) return purged
  }
}

async function removeEmojis(ctx: Ctx, domain: string): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await ctx.transaction(async (tx) => {
      const { rows } = await sql<Pick<Selectable<CustomEmojisTable>, 'image_key' | 'static_key'>>`
        delete from custom_emojis where id = any(array(
          select id from custom_emojis where domain is not null and ${isBelow(sql`domain`, domain)} limit ${batch}))
        returning image_key, static_key`.execute(tx.db)
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
