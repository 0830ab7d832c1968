// What a search finds among statuses of years: the same as a look at each of them, whatever it leaves out on the way.
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deploySearch } from '#domain/reading/search/index-statuses.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { maxId, timeToId } from '#lib/ids.ts'
import { asId, type BookmarkId, type StatusId } from '#lib/id.ts'

const app = useApp()

/** Of a hundred statuses so many have the word. */
const words = { heron: 90, ibis: 30, stilt: 6, avocet: 1 }
type Word = keyof typeof words
const wordsOf = (chance: number) => Object.entries(words).flatMap(([word, of]) => (chance < of ? word : []))

interface Wanted {
  with: readonly Word[]
  without?: Word
}
const sought: Wanted[] = [
  { with: ['heron'] },
  { with: ['ibis'] },
  { with: ['stilt'] },
  { with: ['avocet'] },
  { with: ['heron', 'stilt'] },
  { with: ['heron'], without: 'ibis' },
]
const scopes = ['', 'in:library', 'in:public'] as const

const shown = fc.record({
  // A power of two of milliseconds: from a quarter of an hour to six years.
  age: fc.oneof(fc.double({ min: 20, max: 37.4, noNaN: true }), fc.constantFrom(24, 30, 34)),
  chance: fc.integer({ min: 0, max: 99 }),
  author: fc.constantFrom('open', 'shy', 'shy', 'shy', 'shy', 'shy', 'shy', 'own'),
  bookmarked: fc.integer({ min: 0, max: 24 }).map((n) => n === 0),
})

test('a search finds the newest that may be found, however far apart they are', async () => {
  const [eve, shy, open] = [await app.person('eve'), await app.person('shy'), await app.person('open')]
  ;(await open.patch('/api/v1/accounts/update_credentials', { indexable: true })).ok()
  const authors = { open, shy, own: eve }
  let last = 0

  const statuses = fc.array(shown, { minLength: 400, maxLength: 700, size: 'max' })
  const age = fc.option(fc.double({ min: 20, max: 37.4, noNaN: true }), { nil: undefined })
  const page = fc.record({
    limit: fc.integer({ min: 1, max: 40 }),
    offset: fc.integer({ min: 0, max: 60 }),
    since: age,
    until: age,
    // What the database knows of how common words are: nothing at first, then what it counted here or before.
    counted: fc.boolean(),
  })
  const property = fc.asyncProperty(statuses, page, async (list, { limit, offset, counted, ...times }) => {
    await app.settle()
    await app.ctx.db.deleteFrom('statuses').execute()
    const now = app.clock.now()
    const [min, max] = [times.since, times.until].map((time) => time && timeToId(now - 2 ** time))
    const rows = list.map((one, index) => ({
      ...one,
      id: asId<StatusId>(timeToId(now - 2 ** one.age, index)),
      words: wordsOf(one.chance),
    }))
    const values = rows.map(({ id, author, words: text }) => ({
      id,
      account_id: authors[author].accountId,
      text: text.join(' '),
      content: `<p>${text.join(' ')}</p>`,
      visibility: 'public',
    }))
    await app.ctx.db.insertInto('statuses').values(values).execute()
    const bookmarks = rows
      .filter((row) => row.bookmarked)
      .map((row) => ({ id: asId<BookmarkId>(String(++last)), account_id: eve.accountId, status_id: row.id }))
    if (bookmarks.length > 0) await app.ctx.db.insertInto('bookmarks').values(bookmarks).execute()
    await deploySearch(app.ctx, { all: false, batchSize: 1000, onProgress() {} })
    if (counted) await sql`analyze status_search`.execute(app.ctx.db)
    // Longer than that is believed.
    app.clock.advance(61_000)

    for (const wanted of sought) {
      for (const scope of scopes) {
        const found = rows
          .filter((row) => wanted.with.every((word) => row.words.includes(word)))
          .filter((row) => wanted.without === undefined || !row.words.includes(wanted.without))
          .filter((row) => isFound[scope](row))
          .filter((row) => BigInt(row.id) > BigInt(min ?? 0) && BigInt(row.id) < BigInt(max ?? maxId))
          .map((row) => row.id)
          .toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))
        const q = [...wanted.with, ...(wanted.without ? [`-${wanted.without}`] : []), scope].join(' ').trim()
        const ask = { q, type: 'statuses', limit, offset, min_id: min, max_id: max }
        const answer = (await eve.get('/api/v2/search', ask)).ok().statuses.map(({ id }: Json) => id)
        expect([q, answer]).toEqual([q, found.slice(offset, offset + limit)])
      }
    }
  })
  await fc.assert(property, { numRuns: 8, endOnFailure: true })
})

interface Row {
  author: string
  bookmarked: boolean
}
const isMine = (row: Row) => row.author === 'own' || row.bookmarked
const isOpen = (row: Row) => row.author === 'open'
const isFound = {
  '': (row: Row) => isMine(row) || isOpen(row),
  'in:library': isMine,
  'in:public': isOpen,
}
