// Makes the blocks of this server what the lists say that staff subscribed to. Blocks that staff made stay theirs.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import {
  createHostBlock,
  deleteHostBlock,
  updateHostBlock,
  type Severity,
} from '#domain/trust/moderation/hosts/host-blocks.ts'
import { namesOf } from '#domain/server/hosts/may-federate.ts'
import type { BlockListSubscriptionId, DomainBlockId } from '#lib/id.ts'

const batch = 500

export interface Reconciled {
  created: number
  updated: number
  lifted: number
}

/** A domain (an expression) that is excluded, or below or above one that is. */
const isExcluded = (domain: RawBuilder<unknown>) => sql<boolean>`exists (
  select 1 from block_list_exclusions x
  where ${domain} = x.domain or ${domain} like '%.' || x.domain or x.domain like '%.' || ${domain})`

/**
 * What the lists that are applied say of each domain: the strictest of them, each no stricter than it may be. Not of this
 * server, nor of those that are excluded: nor of those above them, whose block would hold for them too.
 */
const wantedTerms = (own: readonly string[]) => sql`
  select e.domain, max(least(array_position(array['noop', 'silence', 'suspend'], e.severity),
      array_position(array['noop', 'silence', 'suspend'], s.most_severity))) as rank,
    bool_or(e.reject_media) as reject_media, bool_or(e.reject_reports) as reject_reports,
    bool_or(e.obfuscate) as obfuscate, min(nullif(e.public_comment, '')) as public_comment, min(s.id) as subscription_id
  from block_list_entries e join block_list_subscriptions s on s.id = e.subscription_id
  where s.applied and e.domain <> all(${own}::text[])
    and not ${isExcluded(sql`e.domain`)}
  group by e.domain`

interface Wanted {
  domain: string
  severity: Severity
  reject_media: boolean
  reject_reports: boolean
  obfuscate: boolean
  public_comment: string | null
  subscription_id: BlockListSubscriptionId
  /** The block there is, made by a list. */
  block_id: DomainBlockId | null
}

/** Creates, changes and lifts blocks until they are what the lists say. Safe to run again, and beside itself. */
export async function reconcileLists(ctx: Ctx): Promise<Reconciled> {
  const done: Reconciled = { created: 0, updated: 0, lifted: 0 }
  await bringAllAbout(ctx, done)
  done.lifted = await liftStale(ctx)
  // What a block of a domain above covered may need one of its own now.
  if (done.lifted > 0) await bringAllAbout(ctx, done)
  return done
}

async function bringAllAbout(ctx: Ctx, done: Reconciled): Promise<void> {
  for (let after = ''; ;) {
    const rows = await listDifferent(ctx, after)
    for (const row of rows) await bringAbout(ctx, row, done)
    if (rows.length < batch) return
    after = rows.at(-1)?.domain as string
  }
}

/** Domains of lists whose block is missing or says something else, by name. Blocks of staff are left alone. */
async function listDifferent(ctx: Ctx, after: string): Promise<Wanted[]> {
  const own = [...namesOf(ctx.config.localDomain), ...namesOf(ctx.config.webDomain)]
  const { rows } = await sql<Wanted>`
    select w.domain, (array['noop', 'silence', 'suspend'])[w.rank] as severity, w.reject_media, w.reject_reports,
      w.obfuscate, w.public_comment, w.subscription_id, b.id as block_id
    from (${wantedTerms(own)}) w left join domain_blocks b on b.domain = w.domain
    where w.domain > ${after} and (b.id is null or (b.subscription_id is not null and
      (b.severity, b.reject_media, b.reject_reports, b.obfuscate, b.public_comment) is distinct from
      ((array['noop', 'silence', 'suspend'])[w.rank], w.reject_media, w.reject_reports, w.obfuscate, w.public_comment)))
    order by w.domain limit ${batch}`.execute(ctx.db)
  return rows
}

async function bringAbout(ctx: Ctx, row: Wanted, done: Reconciled): Promise<void> {
  const terms = {
    severity: row.severity,
    rejectMedia: row.reject_media,
    rejectReports: row.reject_reports,
    obfuscate: row.obfuscate,
    publicComment: row.public_comment ?? '',
    subscriptionId: row.subscription_id,
  }
  if (row.block_id) {
    const updated = await updateHostBlock(ctx, 'server', row.block_id, terms).catch(ignoreMissing)
    if (updated) done.updated += 1
    return
  }
  const made = await createHostBlock(ctx, 'server', row.domain, terms)
  if (made.kind === 'created') done.created += 1
}

/** Lifts what no list names any more, where that is wanted, and what staff have excluded. */
async function liftStale(ctx: Ctx): Promise<number> {
  const own = [...namesOf(ctx.config.localDomain), ...namesOf(ctx.config.webDomain)]
  let lifted = 0
  for (;;) {
    const { rows } = await sql<{ id: DomainBlockId }>`
      select b.id from domain_blocks b join block_list_subscriptions s on s.id = b.subscription_id
      where ${isExcluded(sql`b.domain`)}
        or (s.retract and not exists (select 1 from (${wantedTerms(own)}) w where w.domain = b.domain))
      order by b.id limit ${batch}`.execute(ctx.db)
    for (const { id } of rows) await lift(ctx, id)
    lifted += rows.length
    if (rows.length < batch) return lifted
  }
}

const lift = (ctx: Ctx, id: DomainBlockId): Promise<void> =>
  deleteHostBlock(ctx, 'server', id).catch(ignoreMissing)

/** Another process may have been faster, or staff have made the block theirs. */
function ignoreMissing(error: unknown): void {
  if ((error as { code?: string }).code !== 'not_found') throw error
}

/** The blocks that a list made, which are about to be nobody's: lifted, or left to staff. */
export async function releaseBlocksOf(
  ctx: Ctx,
  subscriptionId: BlockListSubscriptionId,
  { keep }: { keep: boolean },
): Promise<void> {
  if (keep) {
    await sql`
      update domain_blocks set subscription_id = null where subscription_id = ${subscriptionId}`.execute(
      ctx.db,
    )
    return
  }
  for (const id of await listBlocksOf(ctx, subscriptionId)) await lift(ctx, id)
}

async function listBlocksOf(
  reader: Reader,
  subscriptionId: BlockListSubscriptionId,
): Promise<DomainBlockId[]> {
  const { rows } = await sql<{ id: DomainBlockId }>`
    select id from domain_blocks where subscription_id = ${subscriptionId} order by id`.execute(reader.db)
  return rows.map(({ id }) => id)
}
