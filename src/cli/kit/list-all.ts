import type { Page, PageRequest } from '#lib/page.ts'
import type { IdCursor } from '#lib/id.ts'

const pageSize = 500

/** All of a paged list. For what is short enough to be printed. */
export async function listAll<T>(read: (page: PageRequest) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = []
  for (let maxId: IdCursor | undefined; ;) {
    const page = await read({ limit: pageSize, maxId })
    all.push(...page.items)
    if (!page.full || page.oldest === null) return all
    maxId = page.oldest
  }
}
