// People tell staff about an account. Other servers do by report-from-away.ts.
import type { Category } from './reports.ts'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { normaliseDomain } from '#lib/acct.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { getAccountFacts, type AccountFacts } from '#domain/identity/accounts/queries.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { loadCollections } from '#domain/reading/collections/queries.ts'
import { listRules } from '#domain/server/instance/rules.ts'
import { filterVisible } from '#domain/content/statuses/lists.ts'
import { mailStaff } from './reports.ts'
import type { AccountId, CollectionId, ReportId, RuleId, StatusId } from '#lib/id.ts'

export interface ReportInput {
  targetId: AccountId
  comment?: string | undefined
  category?: Category | undefined
  statusIds?: readonly StatusId[] | undefined
  ruleIds?: readonly RuleId[] | undefined
  collectionIds?: readonly CollectionId[] | undefined
  /** Tells the target's server too, where it has another one. */
  forward?: boolean | undefined
  /** To which servers it goes then, the target's among them or not; without it, to the target's. */
  forwardToDomains?: readonly string[] | undefined
}

const maxComment = 1000
/** More statuses and collections than these are left out. */
const maxNamed = 100

/**
 * Writes down a person's report. Returns its id. Throws `not_found` for an account that is not there or shut out, and for
 * statuses and collections that are not the target's or that the person cannot see; `invalid` for a long comment and
 * unknown rules.
 */
export async function createReport(ctx: Ctx, viewer: Viewer, input: ReportInput): Promise<ReportId> {
  const target = await getAccountFacts(ctx, input.targetId)
  if (target.suspended_at) throw notFound()
  const comment = input.comment?.trim() ?? ''
  if ([...comment].length > maxComment) {
    throw invalid('comment', 'too_long', { max: maxComment })
  }
  const ruleIds = await requireRules(ctx, input.ruleIds ?? [])
  const category = ruleIds.length > 0 ? 'violation' : (input.category ?? 'other')
  const statusIds = await requireStatuses(ctx, viewer.accountId, target.id, input.statusIds ?? [])
  const collectionIds = await requireCollections(ctx, viewer.accountId, target.id, input.collectionIds ?? [])
  return ctx.transaction((tx) =>
    insertReport(tx, {
      accountId: viewer.accountId,
      targetId: target.id,
      uri: `${tx.config.baseUrl}/${randomUUID()}`,
      category,
      comment,
      ruleIds,
      statusIds,
      collectionIds,
      forwardedTo: forwardingOf(target, input),
    }),
  )
}

/** Null: not forwarded. */
function forwardingOf(target: AccountFacts, input: ReportInput): string[] | null {
  if (target.domain === null || input.forward !== true) return null
  const asked = (input.forwardToDomains ?? []).map(normaliseDomain).filter((domain) => domain !== null)
  return asked.length > 0 ? [...new Set(asked)].slice(0, maxNamed) : [target.domain]
}

/** Rules by id, each once. Throws `invalid` when one is none of the server's. */
export async function requireRules(reader: Reader, ids: readonly RuleId[]): Promise<RuleId[]> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return []
  const known = new Set((await listRules(reader)).map((rule) => rule.id))
  if (!wanted.every((id) => known.has(id))) {
    throw invalid('rules', 'no_such_rules')
  }
  return wanted
}

async function requireStatuses(
  reader: Reader,
  viewerId: AccountId,
  targetId: AccountId,
  ids: readonly StatusId[],
): Promise<StatusId[]> {
  const wanted = [...new Set(ids)].slice(0, maxNamed)
  const visible = await filterVisible(reader, viewerId, wanted)
  if (visible.length < wanted.length || !(await areOf(reader, visible, targetId))) throw notFound()
  return wanted
}

async function areOf(reader: Reader, statusIds: readonly StatusId[], accountId: AccountId): Promise<boolean> {
  if (statusIds.length === 0) return true
  const { rows } = await sql`
    select 1 from statuses where id = any(${statusIds}::bigint[]) and account_id <> ${accountId} limit 1`.execute(
    reader.db,
  )
  return rows.length === 0
}

async function requireCollections(
  reader: Reader,
  viewerId: AccountId,
  targetId: AccountId,
  ids: readonly CollectionId[],
): Promise<CollectionId[]> {
  const wanted = [...new Set(ids)].slice(0, maxNamed)
  const found = await loadCollections(reader, viewerId, wanted)
  if (found.length < wanted.length || found.some((one) => one.account_id !== targetId)) throw notFound()
  return wanted
}

interface NewReport {
  accountId: AccountId
  targetId: AccountId
  uri: string
  category: Category
  comment: string
  statusIds: readonly StatusId[]
  ruleIds: readonly RuleId[]
  collectionIds: readonly CollectionId[]
  forwardedTo: readonly string[] | null
}

async function insertReport(tx: Tx, report: NewReport): Promise<ReportId> {
  const id = tx.newId<ReportId>()
  const now = new Date(tx.clock.now())
  await sql`
    insert into reports (id, account_id, target_account_id, category, comment, status_ids, rule_ids, collection_ids,
      forwarded, forwarded_to, uri, created_at, updated_at)
    values (${id}, ${report.accountId}, ${report.targetId}, ${report.category}, ${report.comment},
      ${report.statusIds}::bigint[], ${report.ruleIds}::bigint[], ${report.collectionIds}::bigint[],
      ${report.forwardedTo !== null}, ${report.forwardedTo ?? []}::text[], ${report.uri}, ${now}, ${now})`.execute(
    tx.db,
  )
  await mailStaff(tx, id)
  await tx.emit({ type: 'report.created', reportId: id })
  return id
}
