import type { Collection } from '#entities/collection.ts'
import type { Reaction } from '#entities/emoji.ts'
import type { Quote, Status } from '#entities/status.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { keyBy, pick, valueOf } from '#lib/collections.ts'
import { notFound } from '#lib/errors.ts'
import { loadPollLines, type PollLine } from '#domain/content/polls/load.ts'
import type { Thread } from '#domain/content/statuses/context.ts'
import {
  loadReportedLines,
  loadStatusStates,
  type StatusState,
} from '#domain/content/statuses/load-viewer-state.ts'
import type { SeenPage } from '#domain/reading/timelines/seen-page.ts'
import { loadSourceTexts } from '#domain/content/statuses/source-texts.ts'
import type { QuoteRow } from '#domain/content/statuses/quotes/load.ts'
import { loadFiltering, type Filtering, type FilterOwner } from './filtering.ts'
import { hydrateQuoted, type QuotedParts } from './hydrate-quotes.ts'
import { hydrateReactions } from './hydrate-reactions.ts'
import { hydrateStatuses, type HydratedStatuses } from './hydrated-statuses.ts'
import { renderPoll } from '../render/poll.ts'
import { renderQuote, renderShallowQuote } from '../render/quote.ts'
import { renderLostStatus, type StatusStatic } from '../render/status.ts'
import { renderShared } from './shared-views.ts'
import { viewAccount } from '../identity/accounts.ts'
import { loadCollectionViews } from './collections.ts'
import { asId, noId, type AccountId, type CollectionId, type PollId, type StatusId } from '#lib/id.ts'

/**
 * Statuses by id as this viewer sees them, by a constant number of queries: one when all is cached and none quotes or
 * asks anything or names a collection. What the viewer may not see is left out. `redraft`: with all that is needed to write them again.
 * Not `isLook`: they are sent unasked.
 */
export async function loadStatusViews(
  ctx: Ctx,
  viewer: FilterOwner | null,
  ids: readonly StatusId[],
  { redraft = false, isLook = true }: { redraft?: boolean; isLook?: boolean } = {},
): Promise<Map<StatusId, Status>> {
  const states = await loadStatusStates(ctx, viewer?.accountId ?? null, ids, isLook)
  return renderStates(ctx, viewer, { ids, states, redraft })
}

interface ReadStates {
  ids: readonly StatusId[]
  /** Of these, and of what they boost, as this viewer sees them. */
  states: ReadonlyMap<StatusId, StatusState>
  redraft: boolean
}

/** Statuses by id whose states were read, as `loadStatusViews`. */
async function renderStates(
  ctx: Ctx,
  viewer: FilterOwner | null,
  { ids, states, redraft }: ReadStates,
): Promise<Map<StatusId, Status>> {
  const viewerId = viewer?.accountId ?? null
  const hydrated = await hydrateStatuses(ctx, states)
  const filtering = await loadFiltering(ctx, viewer)
  return assembleAll(ctx, ids, { viewerId, redraft, hydrated, filtering })
}

/** What the viewer sees of a thread, by id. */
export function loadThreadViews(
  ctx: Ctx,
  viewer: FilterOwner | null,
  { ancestors, descendants, states }: Thread,
): Promise<Map<StatusId, Status>> {
  return renderSeen(ctx, viewer, { items: [...ancestors, ...descendants], states })
}

/** The statuses of a page, in its order. */
export async function viewSeen(
  ctx: Ctx,
  viewer: FilterOwner | null,
  page: Pick<SeenPage, 'items' | 'states'>,
): Promise<Status[]> {
  return pick(page.items, await renderSeen(ctx, viewer, page))
}

/** Some of those whose states were read, by id. */
export function renderSeen(
  ctx: Ctx,
  viewer: FilterOwner | null,
  { items, states }: Pick<SeenPage, 'items' | 'states'>,
): Promise<Map<StatusId, Status>> {
  const originals = items.flatMap((id) => states.get(id)?.line.reblog_of_id ?? [])
  const shown = keyBy(pick([...items, ...originals], states), ({ line }) => line.id)
  return renderStates(ctx, viewer, { ids: items, states: shown, redraft: false })
}

/**
 * Statuses that were reported, or that staff decided about, as `loadReportedLines` finds them. No filter of the viewer's
 * hides any.
 */
export async function loadReportedViews(
  ctx: Ctx,
  viewerId: AccountId,
  ids: readonly StatusId[],
): Promise<Map<StatusId, Status>> {
  const hydrated = await hydrateStatuses(ctx, await loadReportedLines(ctx, viewerId, ids))
  return assembleAll(ctx, ids, { viewerId, redraft: false, hydrated, filtering: null })
}

async function assembleAll(
  ctx: Ctx,
  ids: readonly StatusId[],
  basis: Pick<Assembly, 'redraft' | 'hydrated' | 'filtering'> & { viewerId: AccountId | null },
): Promise<Map<StatusId, Status>> {
  const { viewerId, hydrated, redraft } = basis
  const quoted = await hydrateQuoted(ctx, viewerId, hydrated.statics.values(), redraft)
  const polls = await loadPollLines(ctx, viewerId, [
    ...pollsOf(hydrated.statics.values()),
    ...pollsOf(quoted.hydrated.statics.values()),
  ])
  const reactions = await hydrateReactions(ctx, viewerId, [
    ...hydrated.states.values(),
    ...quoted.hydrated.states.values(),
  ])
  const collections = await loadCollectionViews(ctx, viewerId, [
    ...collectionsOf(hydrated.statics.values()),
    ...collectionsOf(quoted.hydrated.statics.values()),
  ])
  const assembly: Assembly = { ...basis, now: ctx.clock.now(), quoted, polls, reactions, collections }
  const views = new Map<StatusId, Status>()
  for (const id of ids) {
    const view = assemble(assembly, id)
    if (view) views.set(id, view)
  }
  return views
}

interface Assembly {
  viewerId: AccountId | null
  now: number
  redraft: boolean
  hydrated: HydratedStatuses
  quoted: QuotedParts
  polls: ReadonlyMap<PollId, PollLine>
  /** Null where the extension is off. */
  reactions: ReadonlyMap<StatusId, readonly Reaction[]> | null
  collections: ReadonlyMap<CollectionId, Collection>
  /** Null when the viewer filters nothing. */
  filtering: Filtering | null
}

function pollsOf(statics: Iterable<StatusStatic>): PollId[] {
  return [...statics].flatMap((fixed) => fixed.poll?.row.id ?? [])
}

function collectionsOf(statics: Iterable<StatusStatic>): CollectionId[] {
  return [...statics].flatMap((fixed) => fixed.collectionIds)
}

const none: readonly never[] = []

/** A status and what it boosts and quotes. */
function assemble(assembly: Assembly, id: StatusId): Status | null {
  const state = assembly.hydrated.states.get(id)
  if (!state) return null
  const { reblog_of_id: originalId } = state.line
  const reblog = originalId === null ? null : assemble(assembly, originalId)
  if (originalId !== null && !reblog) return null
  const quote = assembly.hydrated.statics.get(id)?.quote
  return assembleOne(assembly, assembly.hydrated, {
    id,
    reblog,
    quote: quote ? fullQuote(assembly, quote) : null,
  })
}

function fullQuote(assembly: Assembly, quote: QuoteRow): Quote {
  const { hydrated, visibleBeyond, barriers } = assembly.quoted
  const barrierOf = (one: QuoteRow) => valueOf(barriers, one.quoted_account_id)
  const id = quote.quoted_status_id ?? noId<StatusId>()
  const further = hydrated.statics.get(id)?.quote
  const shown = assembleOne(assembly, hydrated, {
    id,
    reblog: null,
    quote: further
      ? renderShallowQuote(
          further,
          visibleBeyond.has(further.quoted_status_id ?? noId<StatusId>()),
          barrierOf(further),
        )
      : null,
  })
  return renderQuote(quote, shown, { barrier: barrierOf(quote), redraft: assembly.redraft })
}

function assembleOne(
  { polls, reactions, collections, filtering, viewerId, now }: Assembly,
  hydrated: HydratedStatuses,
  { id, reblog, quote }: { id: StatusId; reblog: Status | null; quote: Quote | null },
): Status | null {
  const state = hydrated.states.get(id)
  const fixed = hydrated.statics.get(id)
  const account = state && hydrated.accounts.get(state.author.id)
  if (!state || !fixed || !account) return null
  const { line } = state
  const pollLine = fixed.poll && polls.get(fixed.poll.row.id)
  return renderShared({
    fixed,
    state,
    account,
    reblog,
    poll: fixed.poll && pollLine ? renderPoll(fixed.poll, pollLine, { viewerId, now }) : null,
    quote,
    collections: fixed.collectionIds.length === 0 ? none : pick(fixed.collectionIds, collections),
    reactions: reactions && (reactions.get(line.reblog_of_id ?? id) ?? none),
    filtered: filtering?.(line, hydrated) ?? none,
    viewerId,
  })
}

/** Statuses in the order of `ids`. */
export async function viewStatuses(
  ctx: Ctx,
  viewer: Viewer | null,
  ids: readonly StatusId[],
): Promise<Status[]> {
  const views = await loadStatusViews(ctx, viewer, ids)
  return pick(ids, views)
}

export async function viewStatus(ctx: Ctx, viewer: Viewer | null, id: StatusId): Promise<Status> {
  const view = (await loadStatusViews(ctx, viewer, [id])).get(id)
  if (!view) throw notFound()
  return view
}

/** As `viewStatus`, with the source texts of it and of what it boosts and quotes, for redrafting one's own. */
export async function viewStatusWithSource(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<Status> {
  const shown = (await loadStatusViews(ctx, viewer, [id], { redraft: true })).get(id)
  if (!shown) throw notFound()
  return withTexts(shown, await loadSourceTexts(ctx, idsWithin(shown)))
}

const innerOf = ({ reblog, quote }: Status) => ({ reblog, quoted: quote?.quoted_status })

function idsWithin(status: Status): StatusId[] {
  const { reblog, quoted } = innerOf(status)
  return [
    asId<StatusId>(status.id),
    ...(reblog ? idsWithin(reblog) : []),
    ...(quoted ? idsWithin(quoted) : []),
  ]
}

/** What came from elsewhere has no source: its content stands for it. */
function withTexts(status: Status, texts: ReadonlyMap<StatusId, string>): Status {
  const { reblog, quoted } = innerOf(status)
  return {
    ...status,
    text: texts.get(asId<StatusId>(status.id)) ?? status.content,
    ...(reblog && { reblog: withTexts(reblog, texts) }),
    ...(status.quote && quoted && { quote: { ...status.quote, quoted_status: withTexts(quoted, texts) } }),
  }
}

/**
 * A status after something was taken back. One that the viewer has lost access to is told by its id alone, with
 * nothing of what it says: the fields clients need are there and empty.
 */
export async function viewStatusAfterLoss(ctx: Ctx, viewer: Viewer | null, id: StatusId): Promise<Status> {
  const shown = (await loadStatusViews(ctx, viewer, [id])).get(id)
  if (shown) return shown
  const row = await ctx.db
    .selectFrom('statuses')
    .select(['account_id', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound()
  return renderLostStatus(ctx.config, {
    id,
    createdAt: row.created_at,
    account: await viewAccount(ctx, row.account_id),
  })
}
