import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'

/** How common the entries of documents are, about, as the database counted them last for plans of its own. */
export interface Commonness {
  /** Infinite, when nothing was counted yet. */
  documents: number
  /** What share of the documents has an entry, by entries that many have. */
  shares: ReadonlyMap<string, number>
  /** What share has any other, at most. */
  otherwise: number
}

const unknown: Commonness = { documents: Infinity, shares: new Map(), otherwise: 1 }

export async function loadCommonness(reader: Reader & Pick<Ctx, 'caches'>): Promise<Commonness> {
  const found = await reader.caches.commonness.get('', async () => ({
    value: await readCommonness(reader),
    changesWith: [],
  }))
  return found as Commonness
}

interface CountedRow {
  documents: number
  entries: string[] | null
  /** Of each entry; then the least and the greatest of them. */
  shares: number[] | null
}

async function readCommonness({ db }: Reader): Promise<Commonness> {
  const { rows } = await sql<CountedRow>`
    select greatest(c.reltuples, pg_stat_get_live_tuples(c.oid))::float8 as documents,
      s.most_common_elems::text::text[] as entries, s.most_common_elem_freqs::float8[] as shares
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_stats s on s.schemaname = n.nspname and s.tablename = c.relname and s.attname = 'document'
    where c.oid = 'status_search'::regclass`.execute(db)
  const [row] = rows
  if (!row?.entries || !row.shares) return unknown
  const { entries, shares, documents } = row
  return {
    documents,
    shares: new Map(entries.map((entry, index) => [entry, shares[index] as number])),
    otherwise: shares[entries.length] ?? 1,
  }
}

/** How many documents have of each list at least one entry, at most. */
export function expectMatches(
  { documents, shares, otherwise }: Commonness,
  lists: readonly (readonly string[])[],
): number {
  const shareOf = (list: readonly string[]) =>
    list.reduce((sum, entry) => sum + (shares.get(entry) ?? otherwise), 0)
  return documents * Math.min(1, ...lists.map(shareOf))
}
