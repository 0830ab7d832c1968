import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { visibleTo } from '#domain/content/statuses/visibility.ts'
import { notify } from './notify.ts'
import type { AccountId, StatusEditId, StatusId } from '#lib/id.ts'

/** Which version of which status. */
interface Edit {
  statusId: StatusId
  editId: StatusEditId
}

/**
 * Tells those who boosted a status (`update`) and those whose accepted quotes show it (`quoted_update`) of a new
 * version. What they were told of an earlier version goes: they are told anew, on top of their list.
 */
export async function notifyOfEdit(ctx: Ctx, edit: Edit): Promise<void> {
  await sql`
    delete from notifications n using (${concerned(edit)}) c (account_id, from_account_id, type, status_id, at)
    where n.account_id = c.account_id and n.from_account_id = c.from_account_id and n.type = c.type
      and n.status_id = c.status_id and n.created_at < c.at`.execute(ctx.db)
  await notify(ctx, concerned(edit))
}

function concerned({ statusId, editId }: Edit): RawBuilder<unknown> {
  return sql`
    select b.account_id, s.account_id, 'update', s.id, e.created_at
    from status_edits e
    join statuses s on s.id = e.status_id and s.deleted_at is null
    join statuses b on b.reblog_of_id = s.id and b.deleted_at is null
    where e.id = ${editId} and e.status_id = ${statusId}
    union all
    select q.account_id, s.account_id, 'quoted_update', q.status_id, e.created_at
    from status_edits e
    join statuses s on s.id = e.status_id and s.deleted_at is null
    join quotes q on q.quoted_status_id = s.id and q.state = 'accepted'
    where e.id = ${editId} and e.status_id = ${statusId} and ${visibleTo(sql`q.account_id`, 's')}`
}

/** Tells somebody whom an edit names, while it does. */
export async function notifyOfNewMention(
  ctx: Ctx,
  mention: { statusId: StatusId; accountId: AccountId },
): Promise<void> {
  await notify(
    ctx,
    sql`
    select m.account_id, s.account_id, 'mention', s.id, coalesce(s.edited_at, s.created_at)
    from mentions m join statuses s on s.id = m.status_id
    where m.status_id = ${mention.statusId} and m.account_id = ${mention.accountId} and not m.silent
    for share of s`,
  )
}
