import type { CatchUp } from '#entities/personal/catch-up.ts'
import type { Status } from '#entities/status.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import {
  accountsOf,
  groupAuthors,
  groupLinks,
  groupThreads,
  kindOf,
  orderEntries,
  selectEntries,
  type CatchUpGroup,
  type CatchUpSelection,
} from '#domain/reading/timelines/catch-up/arrange.ts'
import {
  findQuiet,
  listCatchUp,
  loadBoosters,
  type CatchUpEntry,
  type Span,
} from '#domain/reading/timelines/catch-up/entries.ts'
import type { CatchUpOrder } from '#lib/catch-up.ts'
import { unique } from '#lib/collections.ts'
import { loadCardViews } from '../content/cards.ts'
import { loadHiddenIds } from '../content/filtering.ts'
import { viewStatuses } from '../content/statuses.ts'
import { loadAccountViews } from '../identity/accounts.ts'
import { asIds, type AccountId, type StatusId } from '#lib/id.ts'

/** Authors that are told of, and threads, boosted statuses and links. */
const maxAuthors = 200
const maxGroups = 40
/** Accounts that are named of those who boosted or shared the same. */
const maxNamed = 8

/** What the viewer missed, in order, by a constant number of queries. */
export async function viewCatchUp(ctx: Ctx, viewer: Viewer, span: Span): Promise<CatchUp> {
  const { entries, whole, until } = await listShown(ctx, viewer, span)
  const authors = groupAuthors(entries)
  const quiet = await findQuiet(
    ctx,
    authors.map((author) => author.id),
  )
  const reblogged = await listReblogged(ctx, viewer, entries, span)
  const links = groupLinks(entries).slice(0, maxGroups)
  const threads = groupThreads(entries).slice(0, maxGroups)
  const shownAuthors = quietFirst(authors, quiet).slice(0, maxAuthors)
  const cards = await loadCardViews(
    ctx,
    links.map((link) => link.id),
  )
  const accounts = await loadAccountViews(
    ctx,
    unique([
      ...shownAuthors.map((author) => author.id),
      ...[...links, ...threads].flatMap(namedOf),
      ...reblogged.flatMap((one) => asIds<AccountId>(one.account_ids)),
    ]),
  )
  return {
    since_id: span.sinceId,
    until_id: until,
    complete: whole,
    counts: { ...countKinds(entries), authors: authors.length },
    accounts: [...accounts.values()],
    authors: shownAuthors.map((author) => ({
      account_id: author.id,
      quiet: quiet.has(author.id),
      statuses_count: author.entries.length,
      status_ids: idsOf(author),
    })),
    threads: threads.map((thread) => ({
      statuses_count: thread.entries.length,
      status_ids: idsOf(thread).toReversed(),
      account_ids: namedOf(thread),
    })),
    reblogged,
    links: links.flatMap((link) => {
      const card = cards.get(link.id)
      if (!card) return []
      return [
        {
          card,
          accounts_count: accountsOf(link).length,
          account_ids: namedOf(link),
          status_ids: idsOf(link),
        },
      ]
    }),
  }
}

export interface CatchUpRequest extends Omit<CatchUpSelection, 'quiet'> {
  /** Only authors who post rarely. */
  quiet?: boolean | undefined
  order: CatchUpOrder
  offset: number
  limit: number
}

/** Some of these statuses, in an order. */
export async function viewCatchUpStatuses(
  ctx: Ctx,
  viewer: Viewer,
  span: Span,
  { order, offset, limit, quiet, ...selection }: CatchUpRequest,
): Promise<Status[]> {
  const { entries } = await listShown(ctx, viewer, span)
  const rare = quiet && (await findQuiet(ctx, unique(entries.map((entry) => entry.account_id))))
  const wanted = orderEntries(selectEntries(entries, { ...selection, ...(rare && { quiet: rare }) }), order)
  return viewStatuses(
    ctx,
    viewer,
    wanted.slice(offset, offset + limit).map((entry) => entry.id),
  )
}

/** Without what the viewer's filters hide at home. */
async function listShown(ctx: Ctx, viewer: Viewer, span: Span) {
  const found = await listCatchUp(ctx, viewer.accountId, span)
  const hidden = await loadHiddenIds(
    ctx,
    viewer,
    found.entries.map((entry) => entry.id),
    'home',
  )
  return { ...found, entries: found.entries.filter((entry) => !hidden.has(entry.id)) }
}

const idsOf = (group: CatchUpGroup): StatusId[] => group.entries.map((entry) => entry.id)
const namedOf = (group: CatchUpGroup): AccountId[] => accountsOf(group).slice(0, maxNamed)

const quietFirst = (
  authors: readonly CatchUpGroup<AccountId>[],
  quiet: ReadonlySet<AccountId>,
): CatchUpGroup<AccountId>[] => [
  ...authors.filter((author) => quiet.has(author.id)),
  ...authors.filter((author) => !quiet.has(author.id)),
]

function countKinds(entries: readonly CatchUpEntry[]): Omit<CatchUp['counts'], 'authors'> {
  const kinds = entries.map(kindOf)
  const of = (kind: (typeof kinds)[number]) => kinds.filter((one) => one === kind).length
  return {
    statuses: entries.length,
    originals: of('original'),
    replies: of('reply'),
    reblogs: of('reblog'),
    followed_tags: of('followed_tag'),
    with_links: entries.filter((entry) => entry.card_id !== null).length,
  }
}

async function listReblogged(
  ctx: Ctx,
  viewer: Viewer,
  entries: readonly CatchUpEntry[],
  span: Span,
): Promise<CatchUp['reblogged']> {
  const boosts = entries.filter((entry) => kindOf(entry) === 'reblog')
  const originals = unique(boosts.map((entry) => entry.original_id))
  const boosters = await loadBoosters(ctx, viewer.accountId, originals, span)
  return originals
    .map((id) => ({ id, by: boosters.get(id) ?? [] }))
    .filter((one) => one.by.length > 0)
    .toSorted((a, b) => b.by.length - a.by.length)
    .slice(0, maxGroups)
    .map(({ id, by }) => ({ status_id: id, accounts_count: by.length, account_ids: by.slice(0, maxNamed) }))
}
