import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import { truncatePlain } from '#lib/text/text.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import {
  noValues,
  readAnnouncement,
  renderAnnouncementText,
  type AnnouncementInput,
  type AnnouncementValues,
} from './prepare.ts'
import { getAnnouncement, type AnnouncementRow } from './queries.ts'
import type { AnnouncementId } from '#lib/id.ts'

/** Characters of an announcement that are kept in the audit log. */
const labelLength = 200

/**
 * Makes an announcement. It is published at once unless it is scheduled for later or is not to be published. Returns its
 * id. Throws `invalid`.
 */
export async function createAnnouncement(
  ctx: Ctx,
  staff: Staff,
  input: AnnouncementInput,
): Promise<AnnouncementId> {
  const values = readAnnouncement(input, noValues)
  const content = await renderAnnouncementText(ctx, values.text)
  const id = ctx.newId<AnnouncementId>()
  const now = new Date(ctx.clock.now())
  const published = values.scheduled_at === null ? input.published !== false : values.scheduled_at <= now
  await ctx.transaction(async (tx) => {
    await sql`
      insert into announcements (id, text, content, starts_at, ends_at, all_day, scheduled_at, published_at, created_at,
        updated_at)
      values (${id}, ${values.text}, ${content}, ${values.starts_at}, ${values.ends_at}, ${values.all_day},
        ${values.scheduled_at}, ${published ? now : null}, ${now}, ${now})`.execute(tx.db)
    await recordAction(tx, staff, toAction('create', id, values.text))
    if (published) await tx.emit({ type: 'announcement.published', announcementId: id })
  })
  return id
}

const toAction = (action: string, id: AnnouncementId, text: string) => ({
  action,
  targetType: 'announcement',
  targetId: id,
  label: truncatePlain(text, labelLength),
})

/**
 * Changes an announcement, and whether it is published. What is not given stays; but saying that it is or is not to be
 * published ends a schedule. Throws `not_found` and `invalid`.
 */
export async function updateAnnouncement(
  ctx: Ctx,
  staff: Staff,
  id: AnnouncementId,
  input: AnnouncementInput,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const current = await lockAnnouncement(tx, id)
    const values = readAnnouncement(input, current)
    const content = await renderAnnouncementText(tx, values.text)
    await save(tx, { current, input, values: { ...values, content } })
    await recordAction(tx, staff, toAction('update', id, values.text))
  })
}

async function lockAnnouncement(tx: Tx, id: AnnouncementId): Promise<AnnouncementRow> {
  await sql`select 1 from announcements where id = ${id} for update`.execute(tx.db)
  return getAnnouncement(tx, id)
}

interface Change {
  current: AnnouncementRow
  input: AnnouncementInput
  values: AnnouncementValues & { content: string }
}

async function save(tx: Tx, { current, input, values }: Change): Promise<void> {
  const { id } = current
  const now = new Date(tx.clock.now())
  const was = current.published_at !== null && current.unpublished_at === null
  const ends = input.published !== undefined && input.scheduledAt === undefined
  const scheduledAt = ends ? null : values.scheduled_at
  const is =
    scheduledAt === null ? (input.published ?? was) : scheduledAt <= now || (was && input.published !== false)
  const waits = !is && scheduledAt !== null
  const publishedAt = waits ? null : is && !was ? now : current.published_at
  const unpublishedAt = is || waits ? null : was ? now : current.unpublished_at
  await sql`
    update announcements set text = ${values.text}, content = ${values.content}, starts_at = ${values.starts_at},
      ends_at = ${values.ends_at}, all_day = ${values.all_day}, scheduled_at = ${scheduledAt},
      published_at = ${publishedAt}, unpublished_at = ${unpublishedAt}, updated_at = ${now}
    where id = ${id}`.execute(tx.db)
  if (was !== is) {
    await tx.emit({ type: is ? 'announcement.published' : 'announcement.unpublished', announcementId: id })
  } else if (is) await tx.emit({ type: 'announcement.updated', announcementId: id })
}

/** Deletes an announcement with its reactions, of which nobody is told apart. Throws `not_found`. */
export async function deleteAnnouncement(ctx: Ctx, staff: Staff, id: AnnouncementId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ text: string }>`
      delete from announcements where id = ${id} returning text`.execute(tx.db)
    if (!rows[0]) throw notFound()
    await recordAction(tx, staff, toAction('destroy', id, rows[0].text))
    await tx.emit({ type: 'announcement.deleted', announcementId: id })
  })
}
