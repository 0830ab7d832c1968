// The order in which the posts of an archive come in, and the ids they will have: found before the first one is
// written, from a file that may be larger than memory.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { chunk } from '#lib/collections.ts'
import { sentence, unprocessable } from '#lib/errors.ts'
import { compareIds, idToTime, isId, timeToId } from '#lib/ids.ts'
import { splitItems } from './archive-json.ts'
import { readItem, type ArchivedItem } from './archive-post.ts'
import { asId, type BulkImportId, type IdCursor, type StatusId } from '#lib/id.ts'

/** Bytes of one activity. */
export const itemBytes = 1024 ** 2
/** Activities of one archive. */
const maxItems = 500_000
const batch = 1000

interface Planned {
  line: number
  offset: number
  length: number
  /** NaN: it tells none, and comes last. */
  published: number
  /** The number that its address ends with: of two of the same second the later one has the larger. */
  number: string | null
  /** That number, where it is a snowflake of the same time. */
  oldId: IdCursor | null
  /** Of its address: the low bits of its new id, if it brings none along. */
  salt: number
  /** It was on this server: its old id is spoken for. */
  wasHere: boolean
}

export interface Outline {
  items: Planned[]
  /** Where the files that are named may be. */
  files: Set<string>
  /** Whose archive it is: the author of its first post. */
  actor: string | null
}

/** What a row of the import keeps of an activity. */
export interface PlannedRow {
  offset: number
  length: number
  id: StatusId
}

interface OutboxItem extends Pick<Planned, 'line' | 'offset' | 'length'> {
  /** Null when it is too long to be read. */
  item: ArchivedItem | null
}

/** The activities of an `outbox.json`, one after the other. Throws `invalid` when it is none, or too long. */
export async function* readOutboxItems(path: string): AsyncGenerator<OutboxItem> {
  let line = 0
  for await (const { offset, length, body } of splitItems(createReadStream(path), { itemBytes })) {
    if (++line > maxItems) throw unprocessable('too_many_archive_posts', { max: maxItems })
    yield { line, offset, length, item: body && parseItem(body) }
  }
}

/** Reads an `outbox.json` once. Throws `invalid` as `readOutboxItems`. */
export async function outlineOutbox(path: string, baseUrl: string): Promise<Outline> {
  const outline: Outline = { items: [], files: new Set(), actor: null }
  for await (const { line, offset, length, item } of readOutboxItems(path)) {
    outline.items.push({ line, offset, length, ...placeInTime(item, baseUrl) })
    if (item?.kind !== 'post') continue
    outline.actor ??= item.actor
    for (const file of item.attachments.flatMap((one) => one.files)) outline.files.add(file)
  }
  return outline
}

/** One activity, from its bytes. Never fails. */
export function parseItem(body: Buffer): ArchivedItem {
  try {
    return readItem(JSON.parse(body.toString('utf8')))
  } catch {
    return { kind: 'broken', uri: null, reason: sentence('item_no_json') }
  }
}

function placeInTime(
  item: ArchivedItem | null,
  baseUrl: string,
): Pick<Planned, 'published' | 'number' | 'oldId' | 'salt' | 'wasHere'> {
  if (item?.kind !== 'post' && item?.kind !== 'boost')
    return { published: Number.NaN, number: null, oldId: null, salt: 0, wasHere: false }
  const tail = /\/(\d{1,19})(?:\/activity)?\/?$/.exec(item.uri)?.[1] ?? null
  const number = tail !== null && isId(tail) ? String(BigInt(tail)) : null
  // Dates are told to the second; an id that is a snowflake of the same second knows it better.
  const isOld = number !== null && Math.abs(idToTime(number) - item.published) < 2000
  return {
    published: item.published,
    number,
    oldId: isOld ? number : null,
    salt: createHash('sha256').update(item.uri).digest().readUInt16BE(0),
    wasHere: item.uri.startsWith(`${baseUrl}/`),
  }
}

function inTime(a: Planned, b: Planned): number {
  const [first, second] = [a, b].map((one) => (Number.isNaN(one.published) ? Infinity : one.published)) as [
    number,
    number,
  ]
  if (first !== second) return first < second ? -1 : 1
  if (a.number !== null && b.number !== null && a.number !== b.number) return compareIds(a.number, b.number)
  return a.line - b.line
}

/** What comes from the future gets an id of the last minute: no id of now, which this server may be giving away. */
const margin = 60_000

/** Ids that rise with time, as the old ones did. Exported for its test. */
export function planIds(items: readonly Planned[], now: number): (Planned & { id: StatusId })[] {
  let last = 0n
  return items.toSorted(inTime).map((item) => {
    const wanted = BigInt(wantedId(item, now))
    last = wanted > last ? wanted : last + 1n
    return { ...item, id: asId<StatusId>(String(last)) }
  })
}

function wantedId({ published, oldId, salt, wasHere }: Planned, now: number): IdCursor {
  const latest = now - margin
  if (Number.isNaN(published) || published > latest) return timeToId(latest, salt)
  if (oldId !== null && !wasHere) return oldId
  return timeToId(oldId === null ? published : idToTime(oldId), salt)
}

/** Writes down what is to be done, in its order. Once, whatever happens. */
export async function writePlan(ctx: Ctx, importId: BulkImportId, outline: Outline): Promise<void> {
  const planned = planIds(outline.items, ctx.clock.now())
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      update bulk_imports set state = 'in_progress', total_items = ${planned.length}
      where id = ${importId} and state = 'scheduled' returning id`.execute(tx.db)
    if (rows.length === 0) return
    for (const part of chunk(planned, batch)) {
      const data = part.map(({ offset, length, id }) =>
        JSON.stringify({ offset, length, id } satisfies PlannedRow),
      )
      await sql`
        insert into bulk_import_rows (id, bulk_import_id, line, data)
        select unnest(${part.map(() => tx.newId())}::bigint[]), ${importId}, unnest(${part.map((one) => one.line)}::int[]),
          unnest(${data}::jsonb[])`.execute(tx.db)
    }
  })
}
