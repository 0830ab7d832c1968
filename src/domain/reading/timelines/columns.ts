// The columns that somebody reads beside each other: which timelines, and in which order. Kept with their settings, so that
// every device of theirs has the same.
import { sql } from 'kysely'
import type { Column, Viewer } from '#domain/identity/accounts/viewer.ts'
import { unprocessable } from '#lib/errors.ts'
import type { Ctx } from '#ports/ctx.ts'

const limits = { columns: 50, about: 255 } as const

/** Returns the columns of the viewer; null where they have never chosen any. */
export const columnsOf = ({ settings }: Pick<Viewer, 'settings'>): readonly Column[] | null =>
  settings.deck ?? null

/**
 * Keeps them in place of those before, and tells the viewer's streams. Returns them as they are kept: each once, without those that name nothing. Throws
 * `invalid` for more of them than anybody may have.
 */
export async function setColumns(
  ctx: Ctx,
  viewer: Viewer,
  wanted: readonly Column[],
): Promise<readonly Column[]> {
  const deck = [...new Map(wanted.flatMap(cleanColumn).map((one) => [JSON.stringify(one), one])).values()]
  if (deck.length > limits.columns) throw unprocessable('too_many_columns', { max: limits.columns })
  await ctx.transaction(async (tx) => {
    await sql`
      update users set settings = settings || ${JSON.stringify({ deck })}::jsonb
      where id = ${viewer.userId}`.execute(tx.db)
    await tx.emit({ type: 'columns.changed', accountId: viewer.accountId })
  })
  return deck
}

/** Kinds that say nothing without what they are about. */
const specific: ReadonlySet<Column['kind']> = new Set(['list', 'tag', 'account', 'search'])

function cleanColumn({ kind, about = '' }: Column): Column[] {
  if (!specific.has(kind)) return [{ kind }]
  return about === '' || about.length > limits.about ? [] : [{ kind, about }]
}
