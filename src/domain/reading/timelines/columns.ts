// The columns that somebody reads beside each other: which timelines, and in which order. Kept with their settings, so that
// every device of theirs has the same.
import { sql } from 'kysely'
import type { Column, Viewer } from '#domain/identity/accounts/viewer.ts'
import { unprocessable } from '#lib/errors.ts'
import type { Reader } from '#ports/ctx.ts'

const limits = { columns: 50, about: 255 } as const

/** Returns the columns of the viewer; null where they have never chosen any. */
export const columnsOf = ({ settings }: Pick<Viewer, 'settings'>): readonly Column[] | null =>
  settings.deck ?? null

/**
 * Keeps them in place of those before. Returns them as they are kept: each once, without those that name nothing. Throws
 * `invalid` for more of them than anybody may have.
 */
export async function setColumns(
  reader: Reader,
  viewer: Viewer,
  wanted: readonly Column[],
): Promise<readonly Column[]> {
  const deck = [...new Map(wanted.flatMap(cleanColumn).map((one) => [JSON.stringify(one), one])).values()]
  if (deck.length > limits.columns) throw unprocessable('too_many_columns', { max: limits.columns })
  await sql`
    update users set settings = settings || ${JSON.stringify({ deck })}::jsonb
    where id = ${viewer.userId}`.execute(reader.db)
  return deck
}

function cleanColumn({ kind, about = '' }: Column): Column[] {
  if (kind !== 'list' && kind !== 'tag') return [{ kind }]
  return about === '' || about.length > limits.about ? [] : [{ kind, about }]
}
