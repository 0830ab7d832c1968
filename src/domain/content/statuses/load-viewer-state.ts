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
export interface StatusState {
  line: StatusLine
  author: AccountLine
  marks: ViewerMarks
}

/**
 * These statuses and what they boost, as far as the viewer may see them: by one query when their lines are kept, none when
 * what the viewer did lately is kept too, and one more when not everybody may answer or quote one of them. Not `isLook`:
 * they are part of a page whose other statuses were read, or are sent to somebody unasked.
 */
export function loadStatusStates(
  ctx: Ctx,
  viewerId: AccountId | null,
  ids: readonly StatusId[],
  isLook = true,
): Promise<Map<StatusId, StatusState>> {
  return loadStates(ctx, { viewerId, ids, shown: [], isLook })
}

/** A boost is there for those who see what it boosts. */
export const isWhole = ({ line }: StatusState, states: ReadonlyMap<StatusId, StatusState>): boolean =>
  line.reblog_of_id === null || states.has(line.reblog_of_id)

/** The same in a list of what people say, in which nobody meets those whom they do not want to meet. */
export interface Encounters {
  states: ReadonlyMap<StatusId, StatusState>
  /** The condition of `notFilteredFor`: neither blocks the other, and the viewer has not muted the author. */
  meets: (author: AccountLine) => boolean
  /** The condition of `passesStatusFilter`: as `meets`, and whom staff have limited is met by followers alone. */
  meetsAmongOthers: (author: AccountLine) => boolean
}

/** By as many queries as `loadStatusStates`. */
export async function loadEncounters(
  ctx: Ctx,
  viewerId: AccountId | null,
  ids: readonly StatusId[],
): Promise<Encounters> {
  const { states, own } = await loadStatesAndMarks(ctx, { viewerId, ids, shown: [], meets: true })
  const meets = ({ id }: AccountLine) => !own.avoided.has(id)
  return {
    states,
    meets,
    meetsAmongOthers: (author) => meets(author) && (!author.silenced || own.following.has(author.id)),
  }
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
  /** Whom the viewer wants to meet is asked, too. */
  meets?: boolean
  isLook?: boolean
}

const loadStates = async (ctx: Ctx, asked: Asked) => (await loadStatesAndMarks(ctx, asked)).states

async function loadStatesAndMarks(ctx: Ctx, asked: Asked) {
  const { viewerId, ids, shown, meets = false, isLook = true } = asked
  if (ids.length === 0) return { states: new Map<StatusId, StatusState>(), own: noMarks }
  const lines = await loadStatusLines(ctx, ids)
  const authors = await loadLinesOfAll(ctx, authorsOf(lines.values()))
  const [own, answers] = await Promise.all([
    viewerId === null ? noMarks : loadOwnMarks(ctx, viewerId, { lines, authors, meets, isLook }),
    viewerId === null ? noAnswers : loadAnswersByGroup(ctx, viewerId, lines),
  ])
  const states = new Map<StatusId, StatusState>()
  for (const [id, line] of lines) {
    const author = authors.get(line.account_id)
    const sight = author && { line, author, own, viewerId }
    if (!sight || !(isSeen(sight) || shown.includes(id))) continue
    states.set(id, { line, author, marks: marksOf(sight, answers.get(id)) })
  }
  return { states, own }
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

const unmarked = { favourited: false, reblogged: false, bookmarked: false, muted: false, pinned: false }
const strangers: ViewerMarks = { ...unmarked, quote_answer: 'denied', reply_answer: null }
/** Of those who did nothing to a status that all may answer, by what becomes of their quotes. */
const visitors: Readonly<Record<InteractionAnswer, ViewerMarks>> = {
  automatic: { ...unmarked, quote_answer: 'automatic', reply_answer: 'automatic' },
  manual: { ...unmarked, quote_answer: 'manual', reply_answer: 'automatic' },
  denied: { ...unmarked, quote_answer: 'denied', reply_answer: 'automatic' },
}

/** Whether these are the marks of all who did nothing to a status: the same object for each of them. */
export const areCommon = (marks: ViewerMarks): boolean =>
  marks === strangers || marks === visitors[marks.quote_answer]

/** `answers`: of a status that not everybody may answer or quote. */
function marksOf(sight: Sight, answers: Answers | undefined): ViewerMarks {
  const { line, own, viewerId } = sight
  const original = originalOf(line)
  const favourited = own.favourited.has(original)
  const reblogged = own.reblogged.has(original)
  const bookmarked = own.bookmarked.has(original)
  const muted = line.conversation_id !== null && own.muted.has(line.conversation_id)
  const pinned = line.account_id === viewerId && own.pinned.has(line.id)
  const common = commonMarks(sight)
  if (!(favourited || reblogged || bookmarked || muted || pinned || answers)) return common
  return { ...common, ...answers, favourited, reblogged, bookmarked, muted, pinned }
}

/** As `quoteAnswerFor` and `replyAnswerFor` have it, where no group counts. */
function commonMarks({ line, viewerId }: Sight): ViewerMarks {
  if (viewerId === null) return strangers
  const isOpen = line.visibility === 'public' || line.visibility === 'unlisted'
  const isOwn = line.account_id === viewerId && line.reblog_of_id === null
  const forOthers = (isOpen && line.quote_answer_for_all) || 'denied'
  return visitors[isOwn && (isOpen || line.visibility === 'private') ? 'automatic' : forOthers]
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
