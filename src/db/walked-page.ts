import type { PageRequest } from '#lib/page.ts'

/** A list of which its reader is shown nearly all. */
export interface WalkedList<Row, Known> {
  /** Rows in the order of the page, whoever reads: a walk through an index. Without it the database decides. */
  walk?: (page: PageRequest) => Promise<Row[]>
  /** What is known of these rows. */
  know: (rows: readonly Row[]) => Promise<Known>
  /** Whether the reader is shown a row, as the conditions of `exact` have it. */
  has: (row: Row, known: Known) => boolean
  /** The same by the database, which looks as far as it takes. */
  exact: (page: PageRequest) => Promise<Row[]>
}

/** Rows in the order of the page, and what is known of them and perhaps of some more. */
interface WalkedRows<Row, Known> {
  rows: Row[]
  known: Known
}

/** How many are read beyond a page, in place of those that are not shown. */
const spare = 6

/**
 * The rows of a page. Which of them are shown is decided by what is kept of statuses and accounts and by what any page
 * asks of them, which leaves the database a walk through an index. Where that does not fill the page, the database decides.
 */
export async function readWalked<Row, Known>(
  page: PageRequest,
  list: WalkedList<Row, Known>,
): Promise<WalkedRows<Row, Known>> {
  const { walk, know, has, exact } = list
  if (walk) {
    const limit = page.limit + spare
    const walked = await walk({ ...page, limit })
    const known = await know(walked)
    const shown = walked.filter((row) => has(row, known))
    if (shown.length >= page.limit || walked.length < limit)
      return { rows: shown.slice(0, page.limit), known }
  }
  const rows = await exact(page)
  return { rows, known: await know(rows) }
}
