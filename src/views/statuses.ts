import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import type { Viewer } from '#domain/accounts/viewer.ts'
import { pick } from '#lib/collections.ts'
import { notFound } from '#lib/errors.ts'
import { hydrateAccountStatics } from './hydrate/accounts.ts'
import { loadStatusLines, type StatusLine } from '#domain/statuses/load-lines.ts'
import { hydrateStatusStatics } from './hydrate/status-statics.ts'
import { renderAccount, type AccountStatic } from './render/account.ts'
import { renderLostStatus, renderStatus, type StatusJson, type StatusStatic } from './render/status.ts'
import { viewAccount } from './accounts.ts'

/**
 * Statuses by id as this viewer sees them, by a constant number of queries: one when all is cached. What the
 * viewer may not see is left out.
 */
export async function loadStatusViews(
  ctx: Ctx,
  viewer: Viewer | null,
  ids: readonly Id[],
): Promise<Map<Id, StatusJson>> {
  const viewerId = viewer?.accountId ?? null
  const lines = await loadStatusLines(ctx, viewerId, ids)
  const statics = await hydrateStatusStatics(ctx, lines.values())
  const accounts = await hydrateAccountStatics(ctx, authorsOf(lines))
  const assemble = (id: Id): StatusJson | null => {
    const line = lines.get(id)
    const fixed = statics.get(id)
    const author = line && accounts.get(line.account_id)
    if (!line || !fixed || !author) return null
    const reblog = line.reblog_of_id === null ? null : assemble(line.reblog_of_id)
    if (line.reblog_of_id !== null && !reblog) return null
    return assembleOne({ line, fixed, author, reblog, viewerId })
  }
  const views = new Map<Id, StatusJson>()
  for (const id of ids) {
    const view = assemble(id)
    if (view) views.set(id, view)
  }
  return views
}

function assembleOne(parts: {
  line: StatusLine
  fixed: StatusStatic
  author: AccountStatic
  reblog: StatusJson | null
  viewerId: Id | null
}): StatusJson {
  const { line } = parts
  const account = renderAccount(parts.author, { ...line, statuses_count: line.account_statuses_count })
  return renderStatus({ fixed: parts.fixed, line, account, reblog: parts.reblog, viewerId: parts.viewerId })
}

function authorsOf(lines: Map<Id, StatusLine>): Iterable<{ id: Id; version: number }> {
  return new Map(
    [...lines.values()].map((line) => [
      line.account_id,
      { id: line.account_id, version: line.account_version },
    ]),
  ).values()
}

/** Statuses in the order of `ids`. */
export async function viewStatuses(
  ctx: Ctx,
  viewer: Viewer | null,
  ids: readonly Id[],
): Promise<StatusJson[]> {
  const views = await loadStatusViews(ctx, viewer, ids)
  return pick(ids, views)
}

export async function viewStatus(ctx: Ctx, viewer: Viewer | null, id: Id): Promise<StatusJson> {
  const view = (await loadStatusViews(ctx, viewer, [id])).get(id)
  if (!view) throw notFound()
  return view
}

/** As `viewStatus`, with the source text, for deleting and redrafting one's own. */
export async function viewStatusWithSource(ctx: Ctx, viewer: Viewer, id: Id): Promise<StatusJson> {
  const shown = await viewStatus(ctx, viewer, id)
  const row = await ctx.db.selectFrom('statuses').select('text').where('id', '=', id).executeTakeFirst()
  return { ...shown, text: row?.text ?? '' }
}

/**
 * A status after something was taken back. One that the viewer has lost access to is told by its id alone, with
 * nothing of what it says: the fields clients need are there and empty.
 */
export async function viewStatusAfterLoss(ctx: Ctx, viewer: Viewer | null, id: Id): Promise<StatusJson> {
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
