import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { assertShown } from './queries.ts'
import type { AnnouncementId } from '#lib/id.ts'

/** Marks an announcement as read by the viewer. Idempotent. Throws `not_found`. */
export async function dismissAnnouncement(ctx: Ctx, viewer: Viewer, id: AnnouncementId): Promise<void> {
  await assertShown(ctx, id)
  await sql`
    insert into announcement_dismissals (announcement_id, account_id, created_at)
    values (${id}, ${viewer.accountId}, ${new Date(ctx.clock.now())}) on conflict do nothing`.execute(ctx.db)
}
