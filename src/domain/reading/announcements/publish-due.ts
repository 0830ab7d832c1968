// Announcements whose time has come, or is over.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { AnnouncementId } from '#lib/id.ts'

/**
 * Publishes the announcements whose time has come and unpublishes those that have ended, each once, whoever else does so
 * at the same time.
 */
export async function publishDueAnnouncements(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (tx) => {
    const now = new Date(tx.clock.now())
    const ended = await sql<{ id: AnnouncementId }>`
      update announcements set unpublished_at = ${now}, scheduled_at = null
      where published_at is not null and unpublished_at is null and ends_at <= ${now} returning id`.execute(
      tx.db,
    )
    for (const { id } of ended.rows) await tx.emit({ type: 'announcement.unpublished', announcementId: id })
    const due = await sql<{ id: AnnouncementId }>`
      update announcements set published_at = ${now}
      where published_at is null and scheduled_at <= ${now} and (ends_at is null or ends_at > ${now})
      returning id`.execute(tx.db)
    for (const { id } of due.rows) await tx.emit({ type: 'announcement.published', announcementId: id })
  })
}
