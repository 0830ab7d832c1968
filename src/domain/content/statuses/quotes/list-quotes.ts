import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { isBlocked } from '#domain/identity/accounts/is-blocked.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { isMuted } from '#domain/social/relationships/mute-policy.ts'
import { visibleTo } from '../visibility.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** The statuses that quote this one with its author's consent, as far as the viewer may and wants to see them. */
export async function listQuotes(
  reader: Reader,
  query: { quotedId: StatusId; viewerId: AccountId | null },
  page: PageRequest,
): Promise<Page<StatusId>> {
  const { quotedId, viewerId } = query
  const { rows } = await sql<{ status_id: StatusId }>`
    select q.status_id from quotes q join statuses s on s.id = q.status_id
    where q.quoted_status_id = ${quotedId} and q.state = 'accepted'
      and ${visibleTo(viewerId, 's')} and ${authorNotFilteredFor(viewerId, new Date(reader.clock.now()))} and ${inPage('q.status_id', page)}
    ${orderAndLimit('q.status_id', page)}`.execute(reader.db)
  const found = toPage(rows, page, (row) => row.status_id)
  return { ...found, items: found.items.map((row) => row.status_id) }
}

/** By nobody whom the viewer blocks or mutes, or whose server they block. Who blocks them is hidden anyway. */
function authorNotFilteredFor(viewerId: AccountId | null, now: Date): RawBuilder<boolean> {
  if (viewerId === null) return sql`true`
  return sql`(not ${isBlocked({ blocker: viewerId, blocked: sql`s.account_id` })}
    and not ${isMuted({ muter: viewerId, muted: sql`s.account_id` }, now)}
    and not exists (
      select 1 from accounts wa join account_domain_blocks wd on wd.domain = wa.domain
      where wa.id = s.account_id and wd.account_id = ${viewerId} offset 0))`
}
