// Where rules matched. What follows from it is for effects: they count it, report the account or limit it.
import { sql, type Selectable } from 'kysely'
import type { SpamHitsTable } from '#db/schema/moderation.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { timeToId } from '#lib/ids.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import type { SpamAction } from './conditions.ts'
import type { SpamDecision } from './evaluate.ts'
import type { AccountId, HeldPostId, SpamHitId, SpamRuleId, StatusId } from '#lib/id.ts'

export interface HitRow extends Pick<
  Selectable<SpamHitsTable>,
  | 'id'
  | 'account_id'
  | 'status_id'
  | 'report_id'
  | 'warning_id'
  | 'held_post_id'
  | 'uri'
  | 'undone_at'
  | 'created_at'
> {
  /** Null when the rule is gone. */
  rule_id: SpamRuleId | null
  action: SpamAction
  decisive: boolean
}

/** What a verdict is about. */
export interface SpamSubject {
  accountId: AccountId
  statusId?: StatusId
  heldPostId?: HeldPostId
  /** Where a post of another server is. */
  uri?: string | null
}

const hitColumns = sql`h.id, h.rule_id, h.account_id, h.status_id, h.report_id, h.warning_id, h.held_post_id, h.uri,
  h.action, h.decisive, h.undone_at, h.created_at`

/** Writes down that rules matched, in the transaction of what became of it. */
export async function recordHits(tx: Tx, { hits }: SpamDecision, subject: SpamSubject): Promise<void> {
  const rows = hits.map((hit) => ({
    id: tx.newId(),
    rule_id: hit.ruleId,
    action: hit.action,
    decisive: hit.decisive,
  }))
  // A rule that was deleted this moment has matched nothing.
  const { rows: stored } = await sql<{ id: SpamHitId }>`
    insert into spam_hits (id, rule_id, account_id, status_id, held_post_id, uri, action, decisive, created_at)
    select n.id, r.id, ${subject.accountId}::bigint, ${subject.statusId ?? null}::bigint,
      ${subject.heldPostId ?? null}::bigint, ${subject.uri ?? null}::text, n.action, n.decisive,
      ${new Date(tx.clock.now())}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id bigint, rule_id bigint, action text, decisive boolean)
    join spam_rules r on r.id = n.rule_id
    order by n.id returning id`.execute(tx.db)
  for (const { id } of stored) await tx.emit({ type: 'spam-rule.hit', hitId: id })
}

/**
 * Counts a match for its rule. Idempotent. Not where the match is written: posts that come at the same time would
 * wait for each other's transactions to end.
 */
export async function countHit(reader: Reader, hitId: SpamHitId): Promise<void> {
  await sql`
    with counted as (
      update spam_hits set counted = true where id = ${hitId} and not counted returning rule_id, created_at)
    update spam_rules r set hits = r.hits + 1, last_hit_at = greatest(r.last_hit_at, c.created_at)
    from counted c where r.id = c.rule_id`.execute(reader.db)
}

/** Where a rule matched, newest first. */
export async function listHits(reader: Reader, ruleId: SpamRuleId, page: PageRequest): Promise<Page<HitRow>> {
  const { rows } = await sql<HitRow>`
    select ${hitColumns} from spam_hits h where h.rule_id = ${ruleId} and ${inPage('h.id', page)}
    ${orderAndLimit('h.id', page)}`.execute(reader.db)
  return toPage(rows, page, (row) => row.id)
}

/** A match; null when it is gone. */
export async function findHit(reader: Reader, id: SpamHitId): Promise<HitRow | null> {
  const { rows } = await sql<HitRow>`select ${hitColumns} from spam_hits h where h.id = ${id}`.execute(
    reader.db,
  )
  return rows[0] ?? null
}

/** As `findHit`, locked until the transaction ends. */
export async function lockHit(tx: Tx, id: SpamHitId): Promise<HitRow | null> {
  const { rows } = await sql<HitRow>`
    select ${hitColumns} from spam_hits h where h.id = ${id} for update`.execute(tx.db)
  return rows[0] ?? null
}

const day = 86_400_000
/** How long it is known where rules matched. */
const kept = 180 * day
const batch = 1000

/** Forgets old matches. */
export async function purgeHits(ctx: Ctx): Promise<void> {
  const before = timeToId(ctx.clock.now() - kept)
  for (;;) {
    const { rows } = await sql`
      delete from spam_hits where id = any(array(
        select id from spam_hits where id < ${before}::bigint order by id limit ${batch}))
      returning 1 as gone`.execute(ctx.db)
    if (rows.length < batch) return
  }
}
