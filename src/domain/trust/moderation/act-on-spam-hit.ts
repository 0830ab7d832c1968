// What follows when a rule against spam matched.
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { countHit, lockHit, type HitRow } from '#domain/content/spam/hits.ts'
import { source, type Language } from '#lib/messages/catalogue.ts'
import { languageOf } from '#lib/messages/pick-language.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { mailStaff } from './reports/reports.ts'
import { takeActionIn } from './take-action.ts'
import { lockTarget } from './target-account.ts'
import type { AccountId, ReportId, SpamHitId, UserId } from '#lib/id.ts'

/** A report names so many statuses; of more it is known which rule they met. */
const maxNamed = 100

/** Counts a match and reports or limits the account where that is what the rule does. Idempotent. */
export async function actOnSpamHit(ctx: Ctx, hitId: SpamHitId): Promise<void> {
  await countHit(ctx, hitId)
  await ctx.transaction(async (tx) => {
    const hit = await lockHit(tx, hitId)
    if (!hit?.decisive || hit.undone_at || !(await isThere(tx, hit.account_id))) return
    if (hit.action === 'report') await report(tx, hit)
    if (hit.action === 'limit') await limit(tx, hit)
  })
}

async function isThere(tx: Tx, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from accounts where id = ${accountId} and deleted_at is null`.execute(tx.db)
  return rows.length > 0
}

/** One report of a rule about an account waits at a time; further posts are added to it. */
async function report(tx: Tx, hit: HitRow): Promise<void> {
  if (hit.report_id !== null) return
  // Of two matches at once the second finds the report of the first.
  await lockTarget(tx, hit.account_id)
  const open = await findOpenReport(tx, hit)
  const id = open ?? (await insertServerReport(tx, hit))
  await sql`update spam_hits set report_id = ${id} where id = ${hit.id}`.execute(tx.db)
  if (open === null) return
  await sql`
    update reports set status_ids = status_ids || ${hit.status_id}::bigint
    where id = ${open} and ${hit.status_id}::bigint <> all(status_ids) and cardinality(status_ids) < ${maxNamed}`.execute(
    tx.db,
  )
}

async function findOpenReport(tx: Tx, hit: HitRow): Promise<ReportId | null> {
  const { rows } = await sql<{ id: ReportId }>`
    select p.id from reports p
    where p.target_account_id = ${hit.account_id} and p.account_id is null and p.action_taken_at is null
      and exists (select 1 from spam_hits h where h.report_id = p.id and h.rule_id = ${hit.rule_id})
    order by p.id desc limit 1`.execute(tx.db)
  return rows[0]?.id ?? null
}

/** It is the server's own word: nobody made it. */
async function insertServerReport(tx: Tx, hit: HitRow): Promise<ReportId> {
  const id = tx.newId<ReportId>()
  const now = new Date(tx.clock.now())
  const statusIds = hit.status_id === null ? [] : [hit.status_id]
  await sql`
    insert into reports (id, target_account_id, category, comment, status_ids, created_at, updated_at)
    values (${id}, ${hit.account_id}, 'spam',
      coalesce('Rule against spam: ' || (select r.name from spam_rules r where r.id = ${hit.rule_id}), ''),
      ${statusIds}::bigint[], ${now}, ${now})`.execute(tx.db)
  await mailStaff(tx, id)
  await tx.emit({ type: 'report.created', reportId: id })
  return id
}

/** Whoever is limited already stays so, and it is not this rule's doing. */
async function limit(tx: Tx, hit: HitRow): Promise<void> {
  if (hit.warning_id !== null) return
  const target = await lockTarget(tx, hit.account_id)
  if (target.silenced || target.suspended) return
  const { warningId } = await takeActionIn(tx, 'server', hit.account_id, {
    type: 'silence',
    text: textsIn(await findLanguage(tx, target.userId)).moderation.decidedByRule,
    statusIds: hit.status_id === null ? [] : [hit.status_id],
  })
  await sql`update spam_hits set warning_id = ${warningId} where id = ${hit.id}`.execute(tx.db)
}

/** The language of the person whom a rule limited: what they are told is kept as words, as those of staff are. */
async function findLanguage(tx: Tx, userId: UserId | null): Promise<Language> {
  const { rows } = await sql<{ locale: string }>`select locale from users where id = ${userId}`.execute(tx.db)
  return languageOf(rows[0]?.locale ?? source)
}
