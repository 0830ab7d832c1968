// Statuses as streams tell them: the same status to many people at once, each seeing it with their own eyes.
import type { Reaction } from '#entities/emoji.ts'
import type { Status } from '#entities/status.ts'
import type { Ctx } from '#ports/ctx.ts'
import { filterText, type FilterMatcher } from '#domain/reading/filters/match.ts'
import { loadStatusStatesOfMany } from '#domain/content/statuses/load-states-of-many.ts'
import type { StatusState, ViewerMarks } from '#domain/content/statuses/load-viewer-state.ts'
import type { Encounter } from '#domain/reading/timelines/viewer-rules.ts'
import { chunk } from '#lib/collections.ts'
import { stripHtml } from '#lib/html/html.ts'
import { toJsonText } from '#lib/json/json-text.ts'
import { loadFiltering, type Filtering, type FilterOwner } from './filtering.ts'
import { hides, isHidden, renderFilterResult, type HidingContext } from './filters.ts'
import { hydrateReactions } from './hydrate-reactions.ts'
import { hydrateStatuses, type HydratedStatuses } from './hydrated-statuses.ts'
import { renderStatus } from '../render/status.ts'
import { loadStatusViews } from './statuses.ts'
import { asId, type AccountId, type StatusId } from '#lib/id.ts'

/** Statuses that are put together for one person each, at the same time. */
const atOnce = 4

/**
 * One status as JSON for each of these accounts that may see it, without those whose filters hide it there: by one
 * query for all of them, and one rendering for all who see the same. What carries more that differs from person to
 * person, such as a poll or a quote, costs some queries for each.
 */
export async function renderStatusForMany(
  ctx: Ctx,
  accountIds: readonly AccountId[],
  id: StatusId,
  hidingIn: HidingContext | null,
): Promise<Map<AccountId, string>> {
  if (accountIds.length === 0) return new Map()
  const views = await loadStatusStatesOfMany(ctx, accountIds, [id])
  const union = new Map([...views.values()].flatMap(({ states }) => [...states]))
  const hydrated = await hydrateStatuses(ctx, union)
  const viewers = [...views].map(([accountId, { filtersVersion }]) => ({ accountId, filtersVersion }))
  if (!isPlain(hydrated)) return renderEach(ctx, viewers, id, hidingIn)
  const reactions = await hydrateReactions(ctx, null, [])
  const rendered = new Map<string, string>()
  const found = new Map<AccountId, string>()
  for (const viewer of viewers) {
    const filtering = await loadFiltering(ctx, viewer)
    const states = views.get(viewer.accountId)!.states
    const sight: Sight = {
      viewerId: viewer.accountId,
      hydrated: { ...hydrated, states },
      filtering,
      reactions,
    }
    const look = describe(sight, id)
    if (look === null || (hidingIn && hides(look.filtered, hidingIn))) continue
    const json = rendered.get(look.key) ?? toJsonText(render(sight, id))
    rendered.set(look.key, json)
    found.set(viewer.accountId, json)
  }
  return found
}

/** Nothing in it looks different to each person but for what its line says. */
function isPlain({ states, statics }: HydratedStatuses): boolean {
  return (
    [...statics.values()].every(
      ({ poll, quote, collectionIds }) => !poll && !quote && collectionIds.length === 0,
    ) && [...states.values()].every(({ line }) => line.reactions_count === 0)
  )
}

async function renderEach(
  ctx: Ctx,
  viewers: readonly FilterOwner[],
  id: StatusId,
  hidingIn: HidingContext | null,
): Promise<Map<AccountId, string>> {
  const found = new Map<AccountId, string>()
  for (const some of chunk(viewers, atOnce)) {
    await Promise.all(
      some.map(async (viewer) => {
        const view = (await loadStatusViews(ctx, viewer, [id], { isLook: false })).get(id)
        if (view && !(hidingIn && isHidden(view, hidingIn))) found.set(viewer.accountId, toJsonText(view))
      }),
    )
  }
  return found
}

interface Sight {
  viewerId: AccountId
  /** With the states of this viewer. */
  hydrated: HydratedStatuses
  filtering: Filtering | null
  reactions: ReadonlyMap<StatusId, readonly Reaction[]> | null
}

/** What of the status is this viewer's own: the same key means the same JSON. Null: they do not see it. */
function describe({ viewerId, hydrated, filtering }: Sight, id: StatusId) {
  const state = hydrated.states.get(id)
  if (!state) return null
  const { reblog_of_id: originalId } = state.line
  const original = originalId === null ? null : hydrated.states.get(originalId)
  if (original === undefined) return null
  const filtered = filtering?.(state.line, hydrated) ?? []
  const inner = (original && filtering?.(original.line, hydrated)) ?? []
  const key = JSON.stringify([
    ...marksFor(state, viewerId),
    ...(original ? marksFor(original, viewerId) : []),
    filtered,
    inner,
  ])
  return { key, filtered }
}

/** All of them, so that nobody gets what was put together for somebody else. */
const ownMarks: Readonly<Record<keyof ViewerMarks, true>> = {
  favourited: true,
  reblogged: true,
  bookmarked: true,
  muted: true,
  pinned: true,
  quote_answer: true,
  reply_answer: true,
}
const ownNames = Object.keys(ownMarks) as (keyof ViewerMarks)[]

const marksFor = ({ line, marks }: StatusState, viewerId: AccountId) => [
  ...ownNames.map((name) => marks[name]),
  line.account_id === viewerId,
]

function render(sight: Sight, id: StatusId): Status | null {
  const { hydrated, filtering, reactions, viewerId } = sight
  const state = hydrated.states.get(id)
  const fixed = hydrated.statics.get(id)
  const account = state && hydrated.accounts.get(state.author.id)
  if (!state || !fixed || !account) return null
  const { line } = state
  return renderStatus({
    fixed,
    state,
    account,
    reblog: line.reblog_of_id === null ? null : render(sight, line.reblog_of_id),
    poll: null,
    quote: null,
    collections: [],
    reactions: reactions && [],
    filtered: filtering?.(line, hydrated) ?? [],
    viewerId,
  })
}

/** A status as everybody on the public streams gets it, and what decides who does. */
export interface PublicStatus {
  readonly encounter: Encounter
  /** Whose words it quotes: those who do not want to meet them get it put together for them. */
  readonly quotedIds: readonly AccountId[]
  /** JSON, without anything that is a viewer's own. */
  readonly json: string
  /** JSON for somebody with filters, at `now` in milliseconds. */
  jsonFor(matcher: FilterMatcher, now: number): string
}

/** Public statuses by id, each rendered once for all. What only people of this server may see is left out. */
export async function loadPublicStatuses(
  ctx: Ctx,
  ids: readonly StatusId[],
): Promise<Map<StatusId, PublicStatus>> {
  const views = await loadStatusViews(ctx, null, ids)
  return new Map([...views].map(([id, view]) => [id, toPublicStatus(id, view)]))
}

function toPublicStatus(id: StatusId, view: Status): PublicStatus {
  const json = toJsonText(view)
  const quoted = view.quote?.quoted_status
  let text: string | undefined
  return {
    encounter: encounterOf(view),
    quotedIds: quoted ? [asId<AccountId>(quoted.account.id)] : [],
    json,
    jsonFor(matcher, now) {
      text ??= textOf(view)
      const filtered = matcher.match(text, [id], now).map(renderFilterResult)
      return filtered.length === 0 ? json : `${json.slice(0, -1)},"filtered":${JSON.stringify(filtered)}}`
    },
  }
}

/** What decides whether somebody meets a rendered status. */
export function encounterOf(view: Status): Encounter {
  return {
    authorId: asId<AccountId>(view.account.id),
    domain: view.account.acct.split('@')[1] ?? null,
    language: view.language,
    mentionIds: view.mentions.map((mention) => asId<AccountId>(mention.id)),
  }
}

function textOf(view: Status): string {
  return filterText([
    view.spoiler_text,
    stripHtml(view.content),
    ...(view.poll?.options ?? []).map((option) => option.title),
    ...view.media_attachments.map((one) => one.description ?? ''),
  ])
}
