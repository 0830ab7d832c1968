// What staff decided about an account, as the person concerned sees it. Who decided stays unnamed.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { readSignedId, signId } from '#lib/secrets.ts'
import { appealWords, type WarningRow } from './warnings.ts'
import type { AccountId, AccountWarningId, RuleId } from '#lib/id.ts'

const day = 86_400_000
/** For so long after a decision people may object to it, in milliseconds (behaviour of Mastodon). */
export const appealWindow = 20 * day

export interface StrikeRow extends WarningRow {
  /** Staff took it back. */
  overruled_at: Date | null
  /** Why there is a report that led to it; null without one. */
  category: string | null
  rule_ids: RuleId[]
}

const source = sql`account_warnings w left join appeals o on o.warning_id = w.id
  left join reports p on p.id = w.report_id`
const columns = sql`w.id, w.target_account_id, w.action, w.text, w.status_ids, w.created_at, w.overruled_at,
  ${appealWords('o')} as appeal, p.category, coalesce(p.rule_ids, '{}') as rule_ids`

/** An account's strikes, newest first. */
export async function listStrikes(
  reader: Reader,
  accountId: AccountId,
  page: PageRequest,
): Promise<Page<StrikeRow>> {
  const rows = await select(
    reader,
    sql`w.target_account_id = ${accountId} and ${inPage('w.id', page)} ${orderAndLimit('w.id', page)}`,
  )
  return toPage(rows, page, (row) => row.id)
}

/** A strike of this account. Throws `not_found`, also for those of others. */
export async function getStrike(
  reader: Reader,
  accountId: AccountId,
  id: AccountWarningId,
): Promise<StrikeRow> {
  const [row] = await select(reader, sql`w.id = ${id} and w.target_account_id = ${accountId}`)
  if (!row) throw notFound()
  return row
}

async function select(reader: Reader, where: RawBuilder<unknown>): Promise<StrikeRow[]> {
  const { rows } = await sql<StrikeRow>`select ${columns} from ${source} where ${where}`.execute(reader.db)
  return rows
}

/** Whether the person concerned may object to it now: once, while it is new, and while it holds. */
export function isAppealable(
  { clock }: Pick<Reader, 'clock'>,
  strike: Pick<StrikeRow, 'created_at' | 'overruled_at' | 'appeal'>,
): boolean {
  return strike.appeal === null && strike.overruled_at === null && isInTime({ clock }, strike)
}

/** Whether it is so new that one may object. */
export function isInTime(
  { clock }: Pick<Reader, 'clock'>,
  { created_at: at }: Pick<StrikeRow, 'created_at'>,
): boolean {
  return clock.now() < at.getTime() + appealWindow
}

const purpose = 'strike'

/**
 * What the link in the mail about a strike carries: with it whoever cannot sign in any more sees this strike, and may
 * object, as long as one may.
 */
export function strikeToken(ctx: Pick<Ctx, 'secrets'>, id: AccountWarningId): string {
  return signId(ctx.secrets.secretKeyBase, purpose, id)
}

/** The strike that this token opens. Throws `not_found` for another's token, and when it is too old. */
export async function getStrikeByToken(ctx: Ctx, id: AccountWarningId, token: string): Promise<StrikeRow> {
  if (readSignedId(ctx.secrets.secretKeyBase, purpose, token) !== id) throw notFound()
  const [row] = await select(ctx, sql`w.id = ${id}`)
  if (!row || !isInTime(ctx, row)) throw notFound()
  return row
}
