// How often blocks of e-mail domains met somebody, day by day.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { EmailDomainBlockId } from '#lib/id.ts'

const dayLength = 86_400_000
const shownDays = 7

export interface DayOfUse {
  /** Its midnight (UTC), in seconds since the epoch. */
  day: number
  /** Tries to sign up, or to take such an address. */
  uses: number
  /** From how many different addresses they came. */
  accounts: number
}

const startOfDay = (time: number) => Math.floor(time / dayLength) * dayLength

/** Counts one try against each of the blocks. `address`: where it came from, if that is known. */
export async function countBlockUse(
  ctx: Ctx,
  blockIds: readonly EmailDomainBlockId[],
  address: string | null,
): Promise<void> {
  if (blockIds.length === 0) return
  const day = startOfDay(ctx.clock.now())
  const isNew = await Promise.all(blockIds.map((id) => isNewAddress(ctx, `${id}:${day}`, address)))
  await sql`
    insert into email_domain_block_days (block_id, day, uses, accounts)
    select new.id, ${new Date(day).toISOString().slice(0, 10)}::date, 1, new.accounts
    from unnest(${blockIds}::bigint[], ${isNew.map(Number)}::int[]) as new (id, accounts)
    where exists (select 1 from email_domain_blocks b where b.id = new.id) order by new.id
    on conflict (block_id, day) do update
      set uses = email_domain_block_days.uses + 1,
        accounts = email_domain_block_days.accounts + excluded.accounts`.execute(ctx.db)
}

/** Only a hash of the address is kept, for two days, where limits are counted. */
async function isNewAddress(ctx: Ctx, day: string, address: string | null): Promise<boolean> {
  if (address === null) return false
  const hash = createHash('sha256').update(`${day}\0${address}`).digest('base64url').slice(0, 16)
  return ctx.kv.setIfAbsent(`email-block:${hash}`, '1', (2 * dayLength) / 1000).catch(() => false)
}

/** The last seven days of each block, today first. */
export async function loadBlockUse(
  reader: Reader,
  ids: readonly EmailDomainBlockId[],
): Promise<Map<EmailDomainBlockId, DayOfUse[]>> {
  const today = startOfDay(reader.clock.now())
  const days = Array.from({ length: shownDays }, (_, index) => today - index * dayLength)
  const { rows } = await sql<{ block_id: EmailDomainBlockId; day: string; uses: number; accounts: number }>`
    select block_id, day::text as day, uses, accounts from email_domain_block_days
    where block_id = any(${ids}::bigint[]) and day >= ${new Date(days.at(-1) as number).toISOString().slice(0, 10)}::date`.execute(
    reader.db,
  )
  const counted = new Map(rows.map((row) => [`${row.block_id} ${Date.parse(`${row.day}T00:00:00Z`)}`, row]))
  const ofDay = (id: EmailDomainBlockId, time: number): DayOfUse => {
    const row = counted.get(`${id} ${time}`)
    return { day: time / 1000, uses: row?.uses ?? 0, accounts: row?.accounts ?? 0 }
  }
  return new Map(ids.map((id) => [id, days.map((time) => ofDay(id, time))]))
}
