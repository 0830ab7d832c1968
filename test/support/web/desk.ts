// Something of everything that the staff's desk shows.
import { sql } from 'kysely'
import type { TestApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import type { PreviewCardProviderId } from '#lib/id.ts'

export interface LaidDesk {
  readonly reportId: string
  readonly tagId: string
  readonly presetId: string
  readonly pending: Person
  readonly suspended: Person
}

/** Lays out a report, an appeal, a held post, a sign-up that waits, a trend and notes, about `target` who wrote `posts`. */
export async function layDesk(
  app: TestApp,
  {
    staff,
    target,
    reporter,
    posts,
  }: { staff: Person; target: Person; reporter: Person; posts: readonly string[] },
): Promise<LaidDesk> {
  const text = 'Lorem ipsum dolor sit amet'
  const about = { account_id: target.accountId, status_ids: posts, comment: text, category: 'spam' }
  const { id: reportId } = (await reporter.post('/api/v1/reports', about)).ok()
  const { id: presetId } = (await staff.post('/api/v1/admin/warning_presets', { title: 'Primum', text })).ok()
  ;(await staff.post(`/api/v1/admin/accounts/${target.accountId}/notes`, { text })).ok()
  ;(await staff.post(`/api/v1/admin/reports/${reportId}/notes`, { text })).ok()
  ;(await staff.post(`/api/v1/admin/accounts/${target.accountId}/action`, { type: 'sensitive', text })).ok()
  await app.settle()
  await layAppeal(app, target, text)
  const pending = await app.person('pullus', { approved: false })
  await sql`update users set sign_up_reason = ${text} where id = ${pending.userId}`.execute(app.ctx.db)
  const suspended = await app.person('corvus')
  ;(await staff.post(`/api/v1/admin/accounts/${suspended.accountId}/action`, { type: 'suspend', text })).ok()
  await sql`
    insert into held_posts (id, account_id, params, content, created_at)
    values (${app.ctx.newId()}, ${target.accountId}, '{}', ${text}, ${new Date(app.clock.now())})`.execute(
    app.ctx.db,
  )
  await sql`
    insert into preview_card_providers (id, domain, created_at, updated_at)
    values (${app.ctx.newId<PreviewCardProviderId>()}, 'avis.org', now(), now()) on conflict do nothing`.execute(
    app.ctx.db,
  )
  return { reportId, presetId, tagId: await layTrend(app, target), pending, suspended }
}

async function layAppeal(app: TestApp, target: Person, text: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from account_warnings where target_account_id = ${target.accountId} order by id desc`.execute(
    app.ctx.db,
  )
  ;(await target.post(`/api/v1/strikes/${rows[0]?.id}/appeal`, { text })).ok()
}

async function layTrend(app: TestApp, author: Person): Promise<string> {
  await author.say('Ecce #Aves')
  await app.settle()
  const { rows } = await sql<{ id: string }>`select id from tags where name = 'aves'`.execute(app.ctx.db)
  const tagId = rows[0]?.id ?? ''
  await sql`
    insert into tag_trends (tag_id, score, peak, peak_at, updated_at) values (${tagId}, 10, 10, now(), now())
    on conflict do nothing`.execute(app.ctx.db)
  return tagId
}

/** An address for each kind of page. */
export const deskPaths = (
  { reportId, presetId, tagId, pending, suspended }: LaidDesk,
  target: Person,
): string[] => {
  const account = `/admin/accounts/${target.accountId}`
  return [
    '/admin/dashboard',
    '/admin/reports',
    '/admin/reports?resolved=1&category=spam',
    `/admin/reports/${reportId}`,
    `/admin/reports/${reportId}/decide?type=delete_statuses`,
    '/admin/appeals',
    '/admin/accounts',
    '/admin/accounts?status=pending',
    account,
    `/admin/accounts/${suspended.accountId}`,
    `/admin/accounts/${pending.accountId}/reject`,
    `${account}/decide?type=silence`,
    `${account}/statuses`,
    `${account}/relationships`,
    `${account}/memorialize`,
    `${account}/unmemorialize`,
    `${account}/disable_2fa`,
    `${account}/delete`,
    '/admin/held_posts',
    '/admin/trends',
    '/admin/trends?kind=links',
    '/admin/trends?kind=statuses',
    '/admin/trends?kind=publishers',
    '/admin/follow_recommendations',
    '/admin/follow_recommendations?status=suppressed',
    `/admin/trends/tags/${tagId}`,
    '/admin/audit_log',
    '/admin/warning_presets',
    `/admin/warning_presets/${presetId}`,
    `/admin/warning_presets/${presetId}/delete`,
  ]
}
