import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { loadStatusLines, type StatusLine } from '#domain/statuses/load-lines.ts'
import type { AccountStatic } from '../render/account.ts'
import type { StatusStatic } from '../render/status.ts'
import { hydrateAccountStatics } from './accounts.ts'
import { hydrateStatusStatics } from './status-statics.ts'

/** What statuses are put together from. What the viewer may not see has no line. */
export interface StatusWholes {
  lines: ReadonlyMap<Id, StatusLine>
  statics: ReadonlyMap<Id, StatusStatic>
  accounts: ReadonlyMap<Id, AccountStatic>
}

/** The parts of these statuses and of what they boost: one query when the rest is cached. */
export async function loadStatusParts(
  ctx: Ctx,
  viewerId: Id | null,
  ids: readonly Id[],
): Promise<StatusWholes> {
  const lines = await loadStatusLines(ctx, viewerId, ids)
  const statics = await hydrateStatusStatics(ctx, lines.values())
  const accounts = await hydrateAccountStatics(ctx, authorsOf(lines))
  return { lines, statics, accounts }
}

function authorsOf(lines: ReadonlyMap<Id, StatusLine>): Iterable<{ id: Id; version: number }> {
  return new Map(
    [...lines.values()].map((line) => [
      line.account_id,
      { id: line.account_id, version: line.account_version },
    ]),
  ).values()
}
