import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { ReplyPolicy, Viewer } from '#domain/identity/accounts/viewer.ts'
import { forbidden } from '#lib/errors.ts'
import { belongsTo, type InteractionAnswer } from './interaction-groups.ts'
import type { StatusVisibility } from './visibility.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** The policy of a new status. Those whom a direct status names are all who see it, and may always answer. */
export function chooseReplyPolicy(
  viewer: Viewer,
  visibility: StatusVisibility,
  asked: ReplyPolicy | undefined,
): ReplyPolicy {
  if (visibility === 'direct' || visibility === 'limited') return 'public'
  return asked ?? viewer.settings.default_reply_policy ?? 'public'
}

/**
 * The groups whose replies are taken, as `statuses.reply_automatic` holds them: null stands for all who see it. Those
 * whom the status names always may, so that nobody is talked about without a word of their own.
 */
export function replyGroups(policy: ReplyPolicy): string[] | null {
  if (policy === 'public') return null
  return policy === 'followers' || policy === 'following' ? [policy] : []
}

/** Whether two such lists let the same people answer: nobody is not everybody. */
export const isSamePolicy = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/**
 * What becomes of a reply of the viewer to `alias`, as SQL. Its author, those it names and whom it answers always may.
 * It says nothing of whether the viewer can see it.
 */
export function replyAnswerFor(
  viewerId: AccountId | RawBuilder<AccountId>,
  alias: string,
): RawBuilder<InteractionAnswer> {
  const s = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`case
    when ${s('reply_automatic')} is null or ${s('account_id')} = ${viewerId} then 'automatic'
    when ${s('in_reply_to_account_id')} = ${viewerId} or ${belongsTo(viewerId, alias, s('reply_automatic'))}
      or exists (select 1 from mentions rm where rm.status_id = ${s('id')} and rm.account_id = ${viewerId}
        and not rm.silent offset 0) then 'automatic'
    when ${s('reply_manual')} is not null and ${belongsTo(viewerId, alias, s('reply_manual'))} then 'manual'
    else 'denied' end`
}

/** Why a reply is refused, by whom the author lets answer. */
const refusals = {
  followers: 'reply_followers_only',
  following: 'reply_following_only',
} as const

/**
 * Asserts that an account may answer a status that it sees. Throws `forbidden` with who may.
 */
export async function assertMayReply(
  reader: Reader,
  accountId: AccountId,
  statusId: StatusId,
): Promise<void> {
  const { answer, groups } = await findReplyAnswer(reader, accountId, statusId)
  if (answer !== 'denied') return
  const [group] = groups ?? []
  const isKnown = groups?.length === 1 && (group === 'followers' || group === 'following')
  throw forbidden(isKnown ? refusals[group] : 'reply_closed')
}

/** Whether the author of a status takes the reply of an account. */
export async function mayReply(reader: Reader, accountId: AccountId, statusId: StatusId): Promise<boolean> {
  return (await findReplyAnswer(reader, accountId, statusId)).answer !== 'denied'
}

async function findReplyAnswer(
  reader: Reader,
  accountId: AccountId,
  statusId: StatusId,
): Promise<{ answer: InteractionAnswer; groups: string[] | null }> {
  const { rows } = await sql<{ answer: InteractionAnswer; groups: string[] | null }>`
    select ${replyAnswerFor(accountId, 's')} as answer, s.reply_automatic as groups
    from statuses s where s.id = ${statusId}`.execute(reader.db)
  return rows[0] ?? { answer: 'denied', groups: [] }
}
