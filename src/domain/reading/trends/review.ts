// What moderators decide about what trends. `true` approves, `false` keeps out, `null` leaves it to the setting.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { notFound } from '#lib/errors.ts'
import type { AccountId, AnyId, PreviewCardId, PreviewCardProviderId, StatusId, TagId } from '#lib/id.ts'

/** Approves or rejects a hashtag. Throws `not_found`. */
export async function reviewTag(ctx: Ctx, staff: Staff, id: TagId, trendable: boolean): Promise<void> {
  await decide(ctx, staff, { targetType: 'tag', id, trendable }, (now) => {
    const decided = sql`trendable = ${trendable}, reviewed_at = ${now}`
    return sql`update tags set ${decided} where id = ${id} returning '#' || display_name as label`
  })
}

/** Approves or rejects a page, by any of its cards: all cards of that page. Throws `not_found`. */
export async function reviewLink(
  ctx: Ctx,
  staff: Staff,
  id: PreviewCardId,
  trendable: boolean,
): Promise<void> {
  await decide(ctx, staff, { targetType: 'preview_card', id, trendable }, () => {
    const address = sql`coalesce(c.canonical_url, c.url)`
    return sql`
      with page as (select coalesce(canonical_url, url) as address from preview_cards where id = ${id}),
      decided as (
        update preview_cards c set trendable = ${trendable} from page p
        where md5(${address}) = md5(p.address) and ${address} = p.address)
      select address as label from page`
  })
}

/** Approves or rejects all pages of a publisher, but for those that were decided about. Throws `not_found`. */
export async function reviewPublisher(
  ctx: Ctx,
  staff: Staff,
  id: PreviewCardProviderId,
  trendable: boolean,
): Promise<void> {
  await decide(ctx, staff, { targetType: 'preview_card_provider', id, trendable }, (now) => {
    const decided = sql`trendable = ${trendable}, reviewed_at = ${now}, updated_at = ${now}`
    return sql`update preview_card_providers set ${decided} where id = ${id} returning domain as label`
  })
}

/** Approves or rejects one status, whatever was decided about its author. Throws `not_found`. */
export async function reviewStatus(ctx: Ctx, staff: Staff, id: StatusId, trendable: boolean): Promise<void> {
  await decide(
    ctx,
    staff,
    { targetType: 'status', id, trendable },
    () =>
      sql`
      update statuses s set trendable = ${trendable} from accounts a
      where s.id = ${id} and s.deleted_at is null and s.reblog_of_id is null
        and s.visibility = 'public' and a.id = s.account_id
      returning coalesce(s.url, s.uri, a.username) as label`,
  )
}

/** Approves or rejects what an account writes, but for statuses that were decided about. Throws `not_found`. */
export async function reviewAuthor(
  ctx: Ctx,
  staff: Staff,
  id: AccountId,
  trendable: boolean | null,
): Promise<void> {
  await decide(
    ctx,
    staff,
    { targetType: 'account', id, trendable },
    () =>
      sql`
      update accounts set trendable = ${trendable} where id = ${id}
      returning username || coalesce('@' || domain, '') as label`,
  )
}

interface Decision {
  targetType: string
  id: AnyId
  trendable: boolean | null
}

/** What `update` makes the state, which answers what its target is called. */
async function decide(
  ctx: Ctx,
  staff: Staff,
  { targetType, id, trendable }: Decision,
  update: (now: Date) => RawBuilder<unknown>,
): Promise<void> {
  await ctx.transaction(async (tx: Tx) => {
    const { rows } = await (update(new Date(tx.clock.now())) as RawBuilder<{ label: string }>).execute(tx.db)
    const [found] = rows
    if (!found) throw notFound()
    const action = trendable === null ? 'reset_trendable' : trendable ? 'approve' : 'reject'
    await recordAction(tx, staff, { action, targetType, targetId: id, label: found.label })
  })
}
