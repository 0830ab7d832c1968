import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { trimAuditLog } from '#domain/server/audit/queries.ts'
import { mailTerms } from '#domain/identity/accounts/mail-terms.ts'
import { createAnnouncement } from '#domain/reading/announcements/edit-announcement.ts'
import { askForDigests } from '#domain/reading/notifications/digest.ts'
import { countHosts } from '#domain/maintenance/dashboard/count-hosts.ts'
import { countActivity, countEvents, countInteractions } from '#domain/maintenance/dashboard/count-server.ts'
import { countTags } from '#domain/maintenance/dashboard/count-tags.ts'
import { dimensionKeys } from '#domain/maintenance/dashboard/dimensions.ts'
import { measureKeys } from '#domain/maintenance/dashboard/measures.ts'
import { deleteRemoteAccount } from '#domain/maintenance/deletion/delete-account.ts'
import { deleteDueAccounts } from '#domain/maintenance/deletion/delete-suspended.ts'
import { purgeAccount } from '#domain/maintenance/deletion/purge-account.ts'
import { listDue } from '#domain/federation/queue/deliveries.ts'
import { listFollowersOn } from '#domain/federation/queue/follower-digests.ts'
import { findGreylistEnd } from '#domain/federation/queue/greylist.ts'
import { listForwarding } from '#domain/federation/queue/forwarding.ts'
import {
  listAccountInboxes,
  listFlagInboxes,
  listStatusInboxes,
} from '#domain/federation/queue/recipients.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { createTerms, publishTerms } from '#domain/server/instance/terms.ts'
import { actOnSpamHit } from '#domain/trust/moderation/act-on-spam-hit.ts'
import { expireLimits } from '#domain/trust/moderation/expire-limits.ts'
import { removeHostMedia } from '#domain/trust/moderation/hosts/remove-host-media.ts'
import { limitHosts } from '#domain/trust/moderation/hosts/limit-hosts.ts'
import { severAccount } from '#domain/trust/moderation/sever-account.ts'
import { severHosts } from '#domain/trust/moderation/hosts/sever-hosts.ts'
import { takeAction } from '#domain/trust/moderation/take-action.ts'
import { moveFollowers } from '#domain/federation/moves/move-followers.ts'
import {
  readBookmarks,
  readLikes,
  readMediaKeys,
  readOutbox,
} from '#domain/transfer/portability/archive/archive-contents.ts'
import { beginLocalArchive } from '#domain/transfer/portability/archive/archive-import.ts'
import { runLocalArchive } from '#domain/transfer/portability/archive/archive-run.ts'
import { deleteOwnStatuses } from '#domain/maintenance/retention/delete-own.ts'
import { runMaintenance } from '#domain/maintenance/retention/run-maintenance.ts'
import { workSummaries } from '#domain/maintenance/retention/tasks.ts'
import { invalidateHolders } from '#domain/identity/roles/edit-role.ts'
import { purgeHeldPosts } from '#domain/content/spam/held-posts.ts'
import { purgeHits } from '#domain/content/spam/hits.ts'
import { refreshPopular } from '#domain/reading/suggestions/popular.ts'
import { refreshTrends } from '#domain/reading/trends/refresh-trends.ts'
import { useApp } from '#test/app/app.ts'
import { explain, skipBefore16 } from '#test/app/plans.ts'
import { archivedBoost, archivedPost, archivedUri, makeZip, outboxOf } from '#test/files/archives.ts'
import { oldStatus } from '#test/people/old-statuses.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { insertCard } from '#test/people/status-parts.ts'
import { asId, type ReportId, type RoleId, type StatusId } from '#lib/id.ts'

const app = useApp()

/** Tables that grow with the server: no request may read one from end to end. */
const large =
  'accounts|users|statuses|status_stats|account_stats|follows|mentions|favourites|bookmarks|notifications|notification_requests|notification_permissions|home_entries|lists|list_accounts|list_entries|status_tags|conversation_mutes|oauth_tokens|quotes|scheduled_statuses|drafts|media_attachments|polls|poll_votes|status_edits|status_reactions|collections|collection_items|filters|filter_keywords|filter_statuses|featured_tags|preview_cards|account_conversations|account_conversation_statuses|announcement_dismissals|announcement_reactions|status_search|tags|tag_trends|preview_card_providers|reports|user_activity|daily_counts|activity_gaps|retention_counts|host_daily_counts|host_totals|tag_daily_counts|account_warnings|appeals|audit_log|moderation_notes|host_notes|spam_hits|held_posts'
const whole = new RegExp(`(Seq Scan on (${large})\\b|hashed SubPlan)`)

test('no index puts off what is new to a list that every search reads from end to end', async () => {
  const { rows } = await sql<{ name: string; list: string | null }>`
    select c.relname as name, (select option_value from pg_options_to_table(c.reloptions) where option_name = 'fastupdate') as list
    from pg_class c join pg_am m on m.oid = c.relam where m.amname = 'gin'`.execute(app.ctx.db)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter(({ list }) => list !== 'off')).toEqual([])
})

test('every list is read by an index, whatever grows', async ({ skip }) => {
  await skipBefore16(app, skip)
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  await bob.follow(alice)
  await alice.follow(bob)
  const follows = `follow-${Math.floor(app.clock.now() / 3_600_000)}`
  const { id } = await alice.say(`@${bob.username} #tag`)
  await bob.post(`/api/v1/statuses/${id}/favourite`)
  const { poll } = await alice.say('asked', { poll: { options: ['a', 'b'], expires_in: 3600 } })
  await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })
  await bob.say('quoting', { quoted_status_id: id })
  await bob.say('later', { scheduled_at: new Date(app.clock.now() + 86_400_000).toISOString() })
  ;(await alice.patch('/api/v1/accounts/update_credentials', { discoverable: true })).ok()
  const collection = { name: 'people', account_ids: [alice.accountId] }
  const made = (await bob.post('/api/v1/collections', collection)).ok().collection
  ;(await alice.post('/api/v1/featured_tags', { name: 'tag' })).ok()
  await setSetting(app.ctx, 'emoji_reactions', true)
  ;(await bob.put(`/api/v1/pleroma/statuses/${id}/reactions/👍`)).ok()
  const list = (await bob.post('/api/v1/lists', { title: 'list' })).ok()
  const members = `/api/v1/lists/${list.id}/accounts`
  ;(await bob.post(members, { account_ids: [alice.accountId] })).ok()
  await alice.say(`@${bob.username} psst`, { visibility: 'direct' })
  await createAnnouncement(app.ctx, 'operator', {
    text: `Hello @${alice.username}, see https://chat.example/@${alice.username}/${id}`,
  })
  const url = 'https://news.example/story'
  await insertTrendingLink(url, id)
  const filtering = { title: 'tag', context: ['home'], keywords_attributes: [{ keyword: 'tag' }] }
  const filter = (await bob.post('/api/v2/filters', filtering)).ok()
  await app.settle()
  const paths = [
    '/api/v1/timelines/home?limit=20&max_id=999999999999999999',
    '/api/v1/catch_up?since_id=1',
    `/api/v1/statistics/${new Date(app.clock.now()).toISOString().slice(0, 7)}`,
    '/api/v1/catch_up/statuses?since_id=1&quiet=true',
    `/api/v1/timelines/list/${list.id}?max_id=999999999999999999`,
    `/api/v1/timelines/list/${list.id}`,
    '/api/v1/lists',
    `${members}?max_id=999999999999999999`,
    `${members}?limit=0`,
    `/api/v1/accounts/${alice.accountId}/lists`,
    '/api/v1/timelines/public?min_id=1',
    '/api/v1/timelines/tag/tag?limit=20',
    `/api/v1/accounts/${alice.accountId}/statuses?exclude_replies=true`,
    `/api/v1/accounts/${alice.accountId}/statuses?pinned=true`,
    `/api/v1/accounts/${alice.accountId}/followers`,
    `/api/v1/accounts/${alice.accountId}/following`,
    `/api/v1/accounts/relationships?id[]=${alice.accountId}`,
    `/api/v1/statuses/${id}`,
    `/api/v1/statuses/${id}/context`,
    `/api/v1/statuses/${id}/favourited_by`,
    `/api/v1/statuses/${id}/quotes?max_id=999999999999999999`,
    `/api/v1/statuses/${id}/history`,
    `/api/v1/statuses/${id}/reblogged_by`,
    `/api/v1/statuses/${id}/source`,
    `/api/v1/polls/${poll.id}`,
    `/api/v1/pleroma/statuses/${id}/reactions`,
    `/api/v1/collections/${made.id}`,
    `/api/v1/accounts/${bob.accountId}/collections?offset=40`,
    `/api/v1/accounts/${bob.accountId}/in_collections`,
    `/api/v1/accounts/${alice.accountId}/featured_tags`,
    '/api/v1/notifications?limit=40',
    '/api/v1/notifications?include_filtered=true&types[]=mention&types[]=follow&max_id=999999999999999999',
    `/api/v1/notifications?account_id=${alice.accountId}`,
    '/api/v1/notifications/unread_count',
    '/api/v1/notifications/policy',
    '/api/v1/notifications/requests?max_id=999999999999999999',
    '/api/v1/notifications/requests/merged',
    '/api/v2/notifications?limit=40',
    '/api/v2/notifications?include_filtered=true&min_id=1',
    '/api/v2/notifications/unread_count',
    `/api/v2/notifications/${follows}`,
    `/api/v2/notifications/${follows}/accounts`,
    '/api/v2/notifications/policy',
    '/api/v1/conversations?max_id=999999999999999999',
    '/api/v1/announcements',
    '/api/v1/filters',
    '/api/v2/filters',
    `/api/v2/filters/${filter.id}`,
    `/api/v2/filters/keywords/${filter.keywords[0].id}`,
    '/api/v1/favourites',
    '/api/v1/bookmarks',
    '/api/v1/muted_conversations',
    '/api/v1/scheduled_statuses?max_id=999999999999999999',
    '/api/v1/drafts?max_id=999999999999999999',
    '/api/v1/blocks',
    '/api/v1/mutes',
    '/api/v1/follow_requests',
    '/api/v1/followed_tags',
    '/api/v1/accounts/search?q=pers',
    '/api/v1/accounts/search?q=pers&following=true',
    '/api/v2/search?q=tag',
    '/api/v2/search?q=tag%20in:library%20-more&type=statuses&min_id=1',
    '/api/v2/search?q=https://news.example/story',
    '/api/v1/trends/tags?offset=10',
    '/api/v1/trends/links',
    '/api/v1/trends/statuses',
    `/api/v1/timelines/link?url=${url}&max_id=999999999999999999`,
    '/api/v2/suggestions',
    '/api/v1/directory?order=active',
    '/api/v1/directory?order=active&local=true',
    '/api/v1/directory?order=new',
    '/api/v1/directory?order=new&local=true',
  ]
  const scans: string[] = []
  for (const path of paths) {
    scans.push(...(await scansOf(path, () => bob.get(path))))
  }
  scans.push(...(await scansOf('statistics', () => alice.get(`/api/v1/statuses/${id}/statistics`))))
  for (const job of [refreshTrends, refreshPopular, askForDigests]) {
    scans.push(...(await scansOf(job.name, () => job(app.ctx))))
  }
  expect(scans).toEqual([])
})

test('what staff see and do of other servers is read by indexes, and so is what goes with an account', async ({
  skip,
}) => {
  await skipBefore16(app, skip)
  const admin = await app.person('admin', { role: 'Admin' })
  const remote = await remoteAccount(app.ctx, 'bad.example')
  const status = await admin.say(`@${remote.acct} hello`)
  const [accountId, now] = [remote.accountId, new Date(app.clock.now())]
  await sql`
    insert into follows (id, account_id, target_account_id, created_at)
    values (${app.ctx.newId()}, ${admin.accountId}, ${accountId}, ${now})`.execute(app.ctx.db)
  await sql`
    insert into favourites (id, account_id, status_id, created_at)
    values (${app.ctx.newId()}, ${accountId}, ${status.id}, ${now})`.execute(app.ctx.db)
  await sql`
    insert into statuses (id, account_id, visibility, local, content, in_reply_to_id)
    values (${app.ctx.newId()}, ${accountId}, 'public', false, 'x', ${status.id})`.execute(app.ctx.db)
  const scans: string[] = []
  for (const path of [
    '/api/v1/admin/domain_blocks?max_id=999999999999999999',
    '/api/v1/admin/domain_allows?min_id=1',
    '/api/v1/admin/canonical_email_blocks?max_id=999999999999999999',
    '/api/v1/admin/email_domain_blocks?max_id=999999999999999999',
    '/api/v1/admin/invites?max_id=999999999999999999',
    '/api/v1/admin/invites?account_id=1&usable=true',
    '/api/v1/admin/ip_blocks?max_id=999999999999999999',
    '/api/v1/admin/username_blocks?min_id=1',
    '/api/v1/admin/accounts?max_id=999999999999999999',
    '/api/v1/admin/accounts?local=true&active=true',
    '/api/v1/admin/accounts?remote=true',
    '/api/v1/admin/accounts?pending=true',
    '/api/v1/admin/accounts?disabled=true',
    '/api/v1/admin/accounts?silenced=true',
    '/api/v1/admin/accounts?suspended=true',
    '/api/v1/admin/accounts?sensitized=true',
    '/api/v1/admin/accounts?staff=true',
    '/api/v1/admin/accounts?username=pers',
    '/api/v1/admin/accounts?display_name=pers',
    '/api/v1/admin/accounts?by_domain=bad.example',
    '/api/v1/admin/accounts?email=pers',
    '/api/v1/admin/accounts?ip=192.0.2.1',
    '/api/v2/admin/accounts?role_ids[]=1&min_id=1',
    '/api/v2/admin/accounts?invited_by=1',
    `/api/v1/admin/accounts/${admin.accountId}`,
    '/api/v1/admin/warning_presets',
    '/api/v1/admin/custom_emojis?origin=local&max_id=999999999999999999',
    '/api/v1/admin/custom_emojis?by_domain=bad.example',
    '/api/v1/admin/follow_recommendations',
    '/api/v1/admin/follow_recommendations?status=suppressed',
    '/api/v1/admin/rules',
    '/api/v1/admin/terms_of_service',
  ])
    scans.push(...(await scansOf(path, () => admin.get(path))))
  const suspend = () =>
    admin.post('/api/v1/admin/domain_blocks', { domain: 'bad.example', severity: 'suspend' })
  scans.push(...(await scansOf('suspend', async () => (await suspend()).ok())))
  for (const apply of [limitHosts, severHosts, removeHostMedia])
    scans.push(...(await scansOf(apply.name, () => apply(app.ctx, 'bad.example'))))
  scans.push(
    ...(await scansOf('take action', () => takeAction(app.ctx, 'operator', accountId, { type: 'silence' }))),
  )
  for (const work of [expireLimits, deleteDueAccounts])
    scans.push(...(await scansOf(work.name, () => work(app.ctx))))
  scans.push(...(await scansOf('sever', () => severAccount(app.ctx, accountId))))
  const terms = await createTerms(app.ctx, 'operator', { text: 'x' })
  await publishTerms(app.ctx, 'operator', terms, { notify: false })
  scans.push(...(await scansOf('terms', () => mailTerms(app.ctx, terms))))
  scans.push(...(await scansOf('role', () => invalidateHolders(app.ctx, asId<RoleId>('2')))))
  await deleteRemoteAccount(app.ctx, accountId)
  scans.push(...(await scansOf('purge', () => purgeAccount(app.ctx, accountId))))
  expect(scans).toEqual([])
})

test('what staff read and decide of reports, and what people say against it, is read by indexes', async ({
  skip,
}) => {
  await skipBefore16(app, skip)
  const admin = await app.person('admin', { role: 'Admin' })
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const { id: statusId } = await bob.say('rude')
  const reported = { account_id: bob.accountId, status_ids: [statusId] }
  const report = (await alice.post('/api/v1/reports', reported)).ok().id
  const action = { type: 'delete_statuses' }
  const strikeOf = async () => (await bob.get('/api/v1/strikes')).ok()[0].id
  const works: Record<string, () => Promise<unknown>> = {
    report: () => alice.post('/api/v1/reports', { ...reported, status_ids: [] }),
    act: () => admin.post(`/api/v1/admin/reports/${report}/actions`, action),
    note: () => admin.post(`/api/v1/admin/reports/${report}/notes`, { text: 'x' }),
    appeal: async () => bob.post(`/api/v1/strikes/${await strikeOf()}/appeal`, { text: 'x' }),
    decide: async () => {
      const [{ id }] = (await admin.get('/api/v1/admin/appeals?state=pending')).ok()
      return admin.post(`/api/v1/admin/appeals/${id}/approve`)
    },
    trim: () => trimAuditLog(app.ctx, 30),
  }
  for (const path of [
    '/api/v1/admin/reports?max_id=999999999999999999',
    '/api/v1/admin/reports?resolved=true&min_id=1',
    `/api/v1/admin/reports?account_id=${alice.accountId}`,
    `/api/v1/admin/reports?target_account_id=${bob.accountId}&max_id=999999999999999999`,
    `/api/v1/admin/reports/${report}`,
    `/api/v1/admin/reports/${report}/notes?max_id=999999999999999999`,
    `/api/v1/admin/accounts/${bob.accountId}/notes`,
    '/api/v1/admin/appeals?max_id=999999999999999999',
    '/api/v1/admin/appeals?state=pending',
    '/api/v1/admin/appeals?state=approved&min_id=1',
    '/api/v1/admin/appeals?state=rejected',
    '/api/v1/admin/audit_log?max_id=999999999999999999',
    `/api/v1/admin/audit_log?account_id=${admin.accountId}`,
    '/api/v1/admin/audit_log?action=suspend',
    '/api/v1/admin/audit_log?target_type=account',
    '/api/v1/admin/audit_log?target_type=account&target_id=1',
  ])
    works[path] = () => admin.get(path)
  works['strikes'] = () => bob.get('/api/v1/strikes?max_id=999999999999999999')
  const scans: string[] = []
  for (const [name, work] of Object.entries(works)) scans.push(...(await scansOf(name, work)))
  expect(scans).toEqual([])
})

test('what the dashboard shows, and the days it is counted from, are read by indexes', async ({ skip }) => {
  await skipBefore16(app, skip)
  const admin = await app.person('admin', { role: 'Admin' })
  await admin.say('#dashboard')
  const { id } = (await admin.get('/api/v1/tags/dashboard')).ok()
  const domain = 'dashboard.example'
  await remoteAccount(app.ctx, domain)
  const about = (keys: readonly string[]) => ({
    keys,
    ...Object.fromEntries(keys.map((key) => [key, key.startsWith('tag_') ? { id } : { domain }])),
  })
  const span = { start_at: '2026-01-01', end_at: '2026-02-01' }
  const asked: [path: string, params: Record<string, unknown>][] = [
    ['measures', about(measureKeys)],
    ['dimensions', about(dimensionKeys)],
    ['retention', { ...span, frequency: 'day' }],
    ['retention', { ...span, frequency: 'month' }],
  ]
  const scans: string[] = []
  for (const [path, params] of asked) {
    const ask = () => admin.post(`/api/v1/admin/${path}`, params)
    scans.push(...(await scansOf(path, async () => (await ask()).ok())))
  }
  for (const path of [
    'tags?max_id=999999999999999999',
    `tags/${id}`,
    'trends/tags?offset=10',
    'trends/links',
    'trends/statuses',
    'trends/links/publishers?min_id=1',
  ])
    scans.push(...(await scansOf(path, async () => (await admin.get(`/api/v1/admin/${path}`)).ok())))
  const day = '2026-01-01'
  for (const count of [countEvents, countActivity, countInteractions, countHosts, countTags])
    scans.push(...(await scansOf(count.name, () => count(app.ctx, day))))
  expect(scans).toEqual([])
})

test('what goes by its age is found by indexes', async ({ skip }) => {
  await skipBefore16(app, skip)
  const alice = await app.person('alice')
  const { accountId } = await remoteAccount(app.ctx)
  const forget = async () => {
    await oldStatus(app.ctx, accountId, { quotes: await oldStatus(app.ctx, accountId) })
    await runMaintenance(app.ctx, 'remote-statuses')
  }
  await oldStatus(app.ctx, alice.accountId, { local: true })
  const cleanUp = async () => {
    await alice.put('/api/v1/statuses_cleanup_policy', { enabled: true, min_favs: 1, min_reblogs: 1 })
    expect(await deleteOwnStatuses(app.ctx)).toBe(1)
  }
  await setSetting(app.ctx, 'content_cache_retention_period', 30)
  await setSetting(app.ctx, 'audit_log_retention_period', 30)
  await setSetting(app.ctx, 'media_cache_retention_period', 30)
  await setSetting(app.ctx, 'media_cache_budget_gb', 1)
  const scans: string[] = [...(await scansOf('forget', forget)), ...(await scansOf('clean up', cleanUp))]
  for (const name of workSummaries.keys()) {
    scans.push(...(await scansOf(name, () => runMaintenance(app.ctx, name))))
  }
  expect(scans).toEqual([])
})

test('what other servers ask for, and what is passed on to them, is read by indexes', async ({ skip }) => {
  await skipBefore16(app, skip)
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  await bob.follow(alice)
  const status = await alice.say('hello')
  const quoting = await bob.say('look', { quoted_status_id: status.id })
  ;(await alice.post(`/api/v1/statuses/${status.id}/pin`)).ok()
  const { conversation_id } = await app.ctx.db
    .selectFrom('statuses')
    .select('conversation_id')
    .where('id', '=', asId<StatusId>(status.id))
    .executeTakeFirstOrThrow()
  const actor = `/users/${alice.username}`
  const scans: string[] = []
  for (const path of [
    actor,
    `${actor}/outbox?page=true&max_id=999999999999999999`,
    `${actor}/followers?page=true&max_id=999999999999999999`,
    `${actor}/following?page=true`,
    `${actor}/collections/featured`,
    `${actor}/collections/tags`,
    `${actor}/statuses/${status.id}`,
    `${actor}/statuses/${status.id}/replies?page=true`,
    `${actor}/statuses/${status.id}/replies?page=true&only_other_accounts=true&min_id=1`,
    `${actor}/quote_authorizations/${quoting.id}`,
    `/contexts/${conversation_id}?page=true&min_id=1`,
  ]) {
    const headers = { accept: 'application/activity+json' }
    scans.push(
      ...(await scansOf(path, async () => expect((await app.fetch(path, { headers })).status).toBe(200))),
    )
  }
  const host = 'other.example'
  const uri = `https://${host}/1`
  for (const fresh of [{ reply: uri }, { status: uri }, { stamp: uri }])
    scans.push(...(await scansOf('forwarding', () => listForwarding(app.ctx, fresh, host))))
  const local = { accountId: alice.accountId, host, max: 10 }
  scans.push(...(await scansOf('synchronisation', () => listFollowersOn(app.ctx, local))))
  const outgoing = {
    'reach of a status': () => listStatusInboxes(app.ctx, asId<StatusId>(status.id), 'changed'),
    'reach of a deleted status': () => listStatusInboxes(app.ctx, asId<StatusId>(status.id), 'gone'),
    'reach of an account': () => listAccountInboxes(app.ctx, alice.accountId, { blocked: true }),
    'reach of a report': () => listFlagInboxes(app.ctx, asId<ReportId>(status.id)),
    'due deliveries': () => listDue(app.ctx, [host], { now: app.clock.now(), perHost: 20 }),
  }
  for (const [name, list] of Object.entries(outgoing)) scans.push(...(await scansOf(name, list)))
  scans.push(...(await scansOf('move', () => moveFollowers(app.ctx, alice.accountId, bob.accountId))))
  expect(scans).toEqual([])
})

test('what rules against spam ask, and what staff read of them, is read by indexes', async ({ skip }) => {
  await skipBefore16(app, skip)
  const admin = await app.person('admin', { role: 'Admin' })
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const parent = await bob.say('parent')
  const path = '/api/v1/admin/spam_rules'
  const conditions = {
    account_age_hours_below: 24,
    posts_per_hour_at_least: 1,
    strangers_mentioned_at_least: 1,
    keywords: ['casino'],
  }
  const makeRule = async (action: string): Promise<string> =>
    (await admin.post(path, { name: action, action, conditions })).ok().id
  const post = () =>
    alice.post('/api/v1/statuses', { status: `@${bob.username} casino`, in_reply_to_id: parent.id })
  const scans: string[] = []
  const look = async (name: string, work: () => Promise<unknown>) =>
    scans.push(...(await scansOf(name, work)))
  for (const action of ['report', 'limit', 'hold', 'reject']) {
    const id = await makeRule(action)
    await look(`spam rule: ${action}`, post)
    const hits = `${path}/${id}/hits?max_id=999999999999999999`
    await look(`spam hits: ${action}`, () => admin.get(hits))
    const [hit] = (await admin.get(hits)).ok()
    await look(`spam effect: ${action}`, () => actOnSpamHit(app.ctx, hit.id))
    await look('spam undo', () => admin.post(`${path}/${id}/undo`))
  }
  await look('spam dry run', () => admin.post(`${path}/dry_run`, { conditions }))
  await look('held posts', () => admin.get('/api/v1/admin/held_posts?max_id=999999999999999999'))
  await look('held posts of a rule', () => admin.get('/api/v1/admin/held_posts?rule_id=1'))
  await look('held posts dropped', () => purgeHeldPosts(app.ctx))
  await look('spam hits dropped', () => purgeHits(app.ctx))
  const signer = { uri: 'https://new.example/1', host: 'new.example' }
  await look('greylist', () => findGreylistEnd(app.ctx, signer, 30))
  expect(scans).toEqual([])
})

test('archives are read and written by indexes', async ({ skip }) => {
  await skipBefore16(app, skip)
  const ann = await app.person('ann')
  const file = path.join(app.ctx.config.dataDir, 'plans.zip')
  const old = archivedPost('1', '2020-01-01T10:00:00Z', '<p>#one</p>', {
    type: 'Question',
    oneOf: [{ name: 'a' }],
  })
  const again = archivedPost('2', '2020-01-02T10:00:00Z', '<p>two</p>', {
    inReplyTo: archivedUri('1'),
    quote: archivedUri('1'),
    to: [`https://chat.example/users/${ann.username}`],
    cc: [],
  })
  const boost = archivedBoost('3', '2020-01-03T10:00:00Z', archivedUri('1'))
  await writeFile(file, await makeZip({ 'outbox.json': outboxOf([old, again, boost]) }))
  const scans = await scansOf('import', async () => {
    const id = await beginLocalArchive(app.ctx, ann.accountId, 'plans.zip')
    await runLocalArchive(app.ctx, id, file, () => {})
  })
  await ann.say(`@${ann.username} :emoji: #tag`)
  for (const read of [readOutbox, readLikes, readBookmarks, readMediaKeys]) {
    scans.push(
      ...(await scansOf(read.name, async () => {
        for await (const _ of read(app.ctx, ann.accountId)) void _
      })),
    )
  }
  expect(scans).toEqual([])
})

/** The plans, among those of all that `work` asks for, that read a large table from end to end. */
async function scansOf(name: string, work: () => Promise<unknown>): Promise<string[]> {
  const statements = new Set(await app.countQueries(work))
  expect(statements.size).toBeGreaterThan(0)
  const scans: string[] = []
  for (const statement of statements) {
    const plan = await explain(app, statement)
    if (whole.test(plan)) scans.push(`${name}\n${statement}\n${plan}`)
  }
  return scans
}

async function insertTrendingLink(url: string, statusId: string): Promise<void> {
  await setSetting(app.ctx, 'trendable_by_default', true)
  await insertCard(app.ctx, statusId, { url, title: 'Story' })
  await sql`
    insert into link_trends (card_id, score, peak, peak_at, updated_at)
    select id, 9, 9, now(), now() from preview_cards where url = ${url}`.execute(app.ctx.db)
}

test('a row that goes finds what refers to it by an index', async () => {
  const { rows } = await sql<{ column: string }>`
    select c.conrelid::regclass || '.' || a.attname as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace
      and not exists (select 1 from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])`.execute(
    app.ctx.db,
  )
  expect(rows).toEqual([])
})
