import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import type { Viewer, Visibility } from '#domain/identity/accounts/viewer.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { statusUrl } from '#domain/server/instance/urls.ts'
import { findVisibleStatus, type StatusFacts } from '../queries.ts'
import type { InteractionAnswer } from '../interaction-groups.ts'
import { quoteAnswerFor } from '../quote-policy.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

export interface NewQuote {
  statusId: StatusId
  accountId: AccountId
  /** Where people read what is quoted. */
  url: string
  /** A status of another server is quoted once its author has agreed. */
  state: 'accepted' | 'pending'
  visibility: Visibility
  /** What is quoted is for this server's people alone, and so is what is said of it. */
  localOnly: boolean
}

const lost = () => notFound('quoted_missing')

/**
 * The quote a new status makes. Throws `not_found` for what the viewer cannot see or may not quote, in the same words,
 * and `invalid` for a direct status that quotes somebody it does not name.
 */
export async function prepareQuote(
  ctx: Ctx,
  viewer: Viewer,
  quoting: { quotedId: StatusId; visibility: Visibility; mentionedIds: readonly AccountId[] },
): Promise<NewQuote> {
  const quoted = await findOriginal(ctx, viewer, quoting.quotedId)
  const target = quoted && (await findQuotable(ctx, viewer.accountId, quoted.id))
  if (!quoted || !target || target.answer === 'denied') throw lost()
  const visibility = quoteVisibility(quoted, quoting.visibility)
  const own = quoted.account_id === viewer.accountId
  if (visibility === 'direct' && !own && !quoting.mentionedIds.includes(quoted.account_id)) {
    throw invalid('base', 'quote_not_mentioned')
  }
  return {
    statusId: quoted.id,
    accountId: quoted.account_id,
    url: target.url ?? target.uri ?? statusUrl(ctx.config, target.username, quoted.id),
    state: target.answer === 'automatic' && quoted.local ? 'accepted' : 'pending',
    visibility,
    localOnly: quoted.local_only,
  }
}

/** A boost is quoted as what it boosts. */
async function findOriginal(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<StatusFacts | null> {
  const found = await findVisibleStatus(ctx, viewer.accountId, id)
  return found?.reblog_of_id ? findVisibleStatus(ctx, viewer.accountId, found.reblog_of_id) : found
}

interface Quotable {
  url: string | null
  uri: string | null
  username: string
  answer: InteractionAnswer
}

async function findQuotable(
  reader: Reader,
  viewerId: AccountId,
  id: StatusId,
): Promise<Quotable | undefined> {
  const { rows } = await sql<Quotable>`
    select s.url, s.uri, a.username, ${quoteAnswerFor(viewerId, 's')} as answer
    from statuses s join accounts a on a.id = s.account_id where s.id = ${id}`.execute(reader.db)
  return rows[0]
}

/** What only followers see is quoted, by its author, to no more people than it reaches. */
function quoteVisibility(quoted: StatusFacts, asked: Visibility): Visibility {
  const open = quoted.visibility === 'public' || quoted.visibility === 'unlisted'
  return open || asked === 'direct' ? asked : 'private'
}

/**
 * The row of a quote and, when it is accepted, its place in the counter of what it quotes. Whoever is quoted is named
 * silently, so that they see what is said of them. Throws `not_found` when what is quoted was deleted meanwhile.
 */
export async function insertQuote(
  tx: Tx,
  status: { id: StatusId; accountId: AccountId },
  quote: NewQuote,
): Promise<void> {
  await holdQuoted(tx, quote.statusId)
  await sql`
    with made as (
      insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, state, created_at, updated_at)
      values (${status.id}, ${status.accountId}, ${quote.statusId}, ${quote.accountId}, ${quote.state},
        ${new Date(tx.clock.now())}, ${new Date(tx.clock.now())})),
    named as (
      insert into mentions (status_id, account_id, silent) select ${status.id}, ${quote.accountId}, true
      where ${quote.accountId !== status.accountId} on conflict do nothing)
    insert into status_stats (status_id, quotes_count) select ${quote.statusId}::bigint, 1
    where ${quote.state === 'accepted'}
    on conflict (status_id) do update set quotes_count = status_stats.quotes_count + 1`.execute(tx.db)
}

/** Nobody deletes it before this commits: the deletion then finds the quote. */
async function holdQuoted(tx: Tx, id: StatusId): Promise<void> {
  const { rows } = await sql`
    select 1 from statuses where id = ${id} and deleted_at is null for share`.execute(tx.db)
  if (rows.length === 0) throw lost()
}
