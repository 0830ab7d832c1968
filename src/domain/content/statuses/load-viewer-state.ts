import { sql, type QueryExecutorProvider } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { keepStatement } from '#db/keep-statement.ts'
import { loadLinesOfAll, type AccountLine } from '#domain/identity/accounts/load.ts'
import type { InteractionAnswer } from './interaction-groups.ts'
import { authorsOf, loadStatusLines, type StatusLine } from './load-lines.ts'
import { loadOwnMarks, noMarks, originalOf, type OwnMarks } from './own-marks.ts'
import { quoteAnswerFor } from './quote-policy.ts'
import { replyAnswerFor } from './reply-policy.ts'
import { canSee } from './visibility.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** What is each viewer's own of a status. */
export interface ViewerMarks {
  favourited: boolean
  reblogged: boolean
  bookmarked: boolean
  muted: boolean
  pinned: boolean
  /** What becomes of it when the viewer quotes it. */
  quote_answer: InteractionAnswer
  /** What becomes of it when the viewer answers it. Null: nobody looks. */
  reply_answer: InteractionAnswer | null
}

/**
 * Everything about a status that changes often or depends on the viewer: by it the parts that do not are found in the
 * cache.
 */
export interface StatusState extends StatusLine, ViewerMarks {
  author: AccountLine
}

/**
 * These statuses and what they boost, as far as the viewer may see them: by one query when their lines are kept, two when
 * not everybody may answer or quote one of them.
 */
export function loadStatusStates(
  ctx: Ctx,
  viewerId: AccountId | null,
  ids: readonly StatusId[],
): Promise<Map<StatusId, StatusState>> {
  return loadStates(ctx, { viewerId, ids, shown: [] })
}

/**
 * The same for staff who look into statuses that were reported, and for authors who are told which ones staff decided
 * about: whatever their visibility, and after they were deleted as long as the row is there. What they boost is seen as
 * ever.
 */
export function loadReportedLines(
  ctx: Ctx,
  viewerId: AccountId,
  ids: readonly StatusId[],
): Promise<Map<StatusId, StatusState>> {
  return loadStates(ctx, { viewerId, ids, shown: ids })
}

interface Asked {
  viewerId: AccountId | null
  ids: readonly StatusId[]
  /** Of these, whatever their visibility. */
  shown: readonly StatusId[]
}

async function loadStates(ctx: Ctx, { viewerId, ids, shown }: Asked): Promise<Map<StatusId, StatusState>> {
  if (ids.length === 0) return new Map()
  const lines = await loadStatusLines(ctx, ids)
  const [authors, own, answers] = await Promise.all([
    loadLinesOfAll(ctx, authorsOf(lines.values())),
    viewerId === null ? noMarks : loadOwnMarks(ctx, viewerId, lines),
    viewerId === null ? noAnswers : loadAnswersByGroup(ctx, viewerId, lines),
  ])
  const states = new Map<StatusId, StatusState>()
  for (const [id, line] of lines) {
    const author = authors.get(line.account_id)
    const sight = author && { line, author, own, viewerId }
    if (!sight || !(isSeen(sight) || shown.includes(id))) continue
    states.set(id, stateOf(line, author, markedBy(sight, answers.get(id) ?? answerFor(sight))))
  }
  return states
}

/** Named one by one: to put objects together by what they happen to have takes several times as long, and as much memory. */
export function stateOf(line: StatusLine, author: AccountLine, marks: ViewerMarks): StatusState {
  return {
    id: line.id,
    version: line.version,
    account_id: line.account_id,
    reblog_of_id: line.reblog_of_id,
    conversation_id: line.conversation_id,
    visibility: line.visibility,
    local_only: line.local_only,
    deleted: line.deleted,
    quote_answer_for_all: line.quote_answer_for_all,
    replies_limited: line.replies_limited,
    replies_count: line.replies_count,
    reblogs_count: line.reblogs_count,
    favourites_count: line.favourites_count,
    quotes_count: line.quotes_count,
    reactions_count: line.reactions_count,
    author,
    favourited: marks.favourited,
    reblogged: marks.reblogged,
    bookmarked: marks.bookmarked,
    muted: marks.muted,
    pinned: marks.pinned,
    quote_answer: marks.quote_answer,
    reply_answer: marks.reply_answer,
  }
}

interface Sight {
  line: StatusLine
  author: AccountLine
  own: OwnMarks
  viewerId: AccountId | null
}

const isSeen = ({ line, author, own, viewerId }: Sight): boolean =>
  canSee({
    viewerId,
    authorId: line.account_id,
    visibility: line.visibility,
    authorAvailable: !line.deleted && !author.deleted && !author.suspended,
    blockedByAuthor: own.blockedBy.has(line.account_id),
    followsAuthor: own.following.has(line.account_id),
    mentioned: own.mentionedBy.has(line.id),
    localOnly: line.local_only,
    // Whoever looks at a page has an account here.
    viewerIsLocal: viewerId !== null,
  })

/** What the viewer may do with a status that they may see. */
type Answers = Pick<ViewerMarks, 'quote_answer' | 'reply_answer'>

/** What the viewer did to a status, with what they may do. */
function markedBy({ line, own, viewerId }: Sight, { quote_answer, reply_answer }: Answers): ViewerMarks {
  const original = originalOf(line)
  return {
    favourited: own.favourited.has(original),
    reblogged: own.reblogged.has(original),
    bookmarked: own.bookmarked.has(original),
    muted: line.conversation_id !== null && own.muted.has(line.conversation_id),
    pinned: line.account_id === viewerId && own.pinned.has(line.id),
    quote_answer,
    reply_answer,
  }
}

/** As `quoteAnswerFor` and `replyAnswerFor` have it, where no group counts. */
function answerFor({ line, viewerId }: Sight): Answers {
  if (viewerId === null) return { quote_answer: 'denied', reply_answer: null }
  const isOpen = line.visibility === 'public' || line.visibility === 'unlisted'
  const isOwn = line.account_id === viewerId && line.reblog_of_id === null
  const forOthers = (isOpen && line.quote_answer_for_all) || 'denied'
  return {
    quote_answer: isOwn && (isOpen || line.visibility === 'private') ? 'automatic' : forOthers,
    reply_answer: 'automatic',
  }
}

const noAnswers: ReadonlyMap<StatusId, Answers> = new Map()

/** What the viewer may do with those that not everybody may answer or quote. */
async function loadAnswersByGroup(
  { db }: Ctx,
  viewerId: AccountId,
  lines: ReadonlyMap<StatusId, StatusLine>,
): Promise<ReadonlyMap<StatusId, Answers>> {
  const limited = [...lines.values()].filter(
    (line) => line.replies_limited || line.quote_answer_for_all === null,
  )
  if (limited.length === 0) return noAnswers
  const { rows } = await askAnswers(
    db,
    viewerId,
    limited.map((line) => line.id),
  )
  return new Map(rows.map(({ id, ...answers }) => [id, answers]))
}

const askAnswers = keepStatement((db: QueryExecutorProvider, viewerId: AccountId, ids: readonly StatusId[]) =>
  sql<Answers & { id: StatusId }>`
    select s.id, ${quoteAnswerFor(viewerId, 's')} as quote_answer, ${replyAnswerFor(viewerId, 's')} as reply_answer
    from statuses s where s.id = any(${ids}::bigint[])`.execute(db),
)
