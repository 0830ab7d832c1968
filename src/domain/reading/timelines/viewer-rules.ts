// Whom and what somebody does not want to meet on public streams, held in memory while they listen: a post is then
// held against it without asking the database. `statusNotFilteredFor` is the same for timelines.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { muteHolds, muteHoldsSql, type MuteTerms } from '#domain/social/relationships/mute-policy.ts'
import { keyBy } from '#lib/collections.ts'
import type { AccountId } from '#lib/id.ts'

export interface ViewerRules {
  readonly accountId: AccountId
  /** Rises with every change of their filters; 0: they never had any. */
  readonly filtersVersion: number
  /** null: any. */
  readonly languages: ReadonlySet<string> | null
  /** Whom they block, and who blocks them. */
  readonly blocked: ReadonlySet<AccountId>
  /** Whom they mute: some of these mutes may be over by the time they are asked for. */
  readonly muted: ReadonlyMap<AccountId, MuteTerms>
  readonly domains: ReadonlySet<string>
}

interface Row {
  id: AccountId
  filters_version: number
  chosen_languages: string[] | null
  blocked: AccountId[]
  muted: AccountId[]
  muted_until: (Date | null)[]
  mutes_hide_notifications: boolean[]
  domains: string[]
}

/** The rules of these accounts, in one query. Accounts without a login are left out. */
export async function loadViewerRules(
  reader: Reader,
  accountIds: readonly AccountId[],
): Promise<Map<AccountId, ViewerRules>> {
  const now = new Date(reader.clock.now())
  const { rows } = await sql<Row>`
    select u.account_id as id, u.filters_version, u.chosen_languages,
      array(select target_account_id from blocks where account_id = u.account_id
        union select account_id from blocks where target_account_id = u.account_id) as blocked,
      ${mutesOf(sql`m.target_account_id`, now)} as muted, ${mutesOf(sql`m.expires_at`, now)} as muted_until,
      ${mutesOf(sql`m.hide_notifications`, now)} as mutes_hide_notifications,
      array(select domain from account_domain_blocks where account_id = u.account_id) as domains
    from users u where u.account_id = any(${accountIds}::bigint[])`.execute(reader.db)
  return keyBy(rows.map(toRules), (rules) => rules.accountId)
}

/** Of those that are over nobody has to know. The order is that of the other columns. */
function mutesOf(column: RawBuilder<unknown>, now: Date): RawBuilder<unknown> {
  return sql`array(
    select ${column} from mutes m where m.account_id = u.account_id and ${muteHoldsSql('m', now)} order by m.id)`
}

function toRules(row: Row): ViewerRules {
  const muteAt = (index: number): MuteTerms => ({
    expiresAt: row.muted_until[index]?.getTime() ?? null,
    hideNotifications: row.mutes_hide_notifications[index] ?? true,
  })
  return {
    accountId: row.id,
    filtersVersion: row.filters_version,
    languages: row.chosen_languages && new Set(row.chosen_languages),
    blocked: new Set(row.blocked),
    muted: new Map(row.muted.map((id, index) => [id, muteAt(index)])),
    domains: new Set(row.domains),
  }
}

/** What of a status decides whether somebody meets it. */
export interface Encounter {
  readonly authorId: AccountId
  /** Of the author; null: this server's own. */
  readonly domain: string | null
  readonly language: string | null
  readonly mentionIds: readonly AccountId[]
}

/** Whether a public status is for this viewer, at `now` in milliseconds. */
export function isShownTo(rules: ViewerRules, status: Encounter, now: number): boolean {
  if (rules.languages && status.language !== null && !rules.languages.has(status.language)) return false
  if (status.domain !== null && rules.domains.has(status.domain)) return false
  return (
    !isMutedOrBlocked(rules, status.authorId, now) &&
    !status.mentionIds.some((id) => isMutedOrBlocked(rules, id, now))
  )
}

/** Blocked, blocking or muted at `now`. */
export function isMutedOrBlocked(rules: ViewerRules, accountId: AccountId, now: number): boolean {
  if (rules.blocked.has(accountId)) return true
  const mute = rules.muted.get(accountId)
  return mute !== undefined && muteHolds(mute, now)
}
