// Hashtags as staff see and change them.
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { isHashtag, normaliseHashtag } from '#lib/text/hashtag.ts'
import { keyBy } from '#lib/collections.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import type { TagFacts } from './queries.ts'
import type { TagId } from '#lib/id.ts'

export interface ManagedTag extends TagFacts {
  /** Posts may have it, and it has a timeline. */
  usable: boolean
  /** It is found by search, and may trend. */
  listable: boolean
  /** Null: nobody decided; the setting `trendable_by_default` holds. */
  trendable: boolean | null
  reviewed_at: Date | null
}

const columns = sql`id, name, display_name, usable, listable, trendable, reviewed_at`

/** All hashtags, the newest first. */
export async function listTags(reader: Reader, page: PageRequest): Promise<Page<ManagedTag>> {
  const { rows } = await sql<ManagedTag>`
    select ${columns} from tags where ${inPage('id', page)} ${orderAndLimit('id', page)}`.execute(reader.db)
  return toPage(rows, page, (row) => row.id)
}

/** Hashtags by id. */
export async function loadManagedTags(
  reader: Reader,
  ids: readonly TagId[],
): Promise<Map<TagId, ManagedTag>> {
  if (ids.length === 0) return new Map()
  const { rows } =
    await sql<ManagedTag>`select ${columns} from tags where id = any(${ids}::bigint[])`.execute(reader.db)
  return keyBy(rows, (row) => row.id)
}

/** Throws `not_found`. */
export async function getManagedTag(reader: Reader, id: TagId): Promise<ManagedTag> {
  const found = (await loadManagedTags(reader, [id])).get(id)
  if (!found) throw notFound()
  return found
}

/** What is not given stays. */
export interface TagChanges {
  /** The same name in other letters. */
  displayName?: string | undefined
  trendable?: boolean | undefined
  usable?: boolean | undefined
  listable?: boolean | undefined
}

/**
 * Changes a hashtag, which counts as a review of it. Throws `not_found`, and `invalid` for a name that would be that of
 * another hashtag.
 */
export async function updateTag(ctx: Ctx, staff: Staff, id: TagId, changes: TagChanges): Promise<void> {
  await ctx.transaction(async (tx) => {
    const tag = await lockTag(tx, id)
    const display =
      changes.displayName === undefined ? tag.display_name : parseDisplay(tag, changes.displayName)
    const after = {
      display_name: display,
      trendable: changes.trendable ?? tag.trendable,
      usable: changes.usable ?? tag.usable,
      listable: changes.listable ?? tag.listable,
    }
    await sql`
      update tags set display_name = ${after.display_name}, trendable = ${after.trendable}::boolean,
        usable = ${after.usable}, listable = ${after.listable}, reviewed_at = ${new Date(tx.clock.now())}
      where id = ${id}`.execute(tx.db)
    await recordAction(tx, staff, {
      action: 'update',
      targetType: 'tag',
      targetId: id,
      label: `#${display}`,
      details: after,
    })
  })
}

async function lockTag(tx: Tx, id: TagId): Promise<ManagedTag> {
  const { rows } = await sql<ManagedTag>`
    select ${columns} from tags where id = ${id} for no key update`.execute(tx.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

function parseDisplay(tag: ManagedTag, text: string): string {
  const display = text.trim().replace(/^[#＃]/u, '')
  if (isHashtag(display) && normaliseHashtag(display) === tag.name) return display
  throw invalid('display_name', 'other_name')
}
