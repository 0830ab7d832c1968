import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useApp } from '#test/app.ts'

const app = useApp()

/** Tables that grow with the server: no request may read one from end to end. */
const large =
  'accounts|users|statuses|status_stats|account_stats|follows|mentions|favourites|bookmarks|notifications|home_entries|status_tags|conversation_mutes|oauth_tokens|quotes|scheduled_statuses|media_attachments|polls|poll_votes|status_edits'
const whole = new RegExp(`(Seq Scan on (${large})\\b|hashed SubPlan)`)

test('every list is read by an index, whatever grows', async ({ skip }) => {
  const { rows } = await sql<{
    version: number
  }>`select current_setting('server_version_num')::int as version`.execute(app.ctx.db)
  skip((rows[0]?.version ?? 0) < 160_000, 'PostgreSQL 15 cannot explain a statement without its parameters')
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  await bob.follow(alice)
  const { id } = await alice.say(`@${bob.username} #tag`)
  await bob.post(`/api/v1/statuses/${id}/favourite`)
  const { poll } = await alice.say('asked', { poll: { options: ['a', 'b'], expires_in: 3600 } })
  await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })
  await bob.say('quoting', { quoted_status_id: id })
  await bob.say('later', { scheduled_at: new Date(app.clock.now() + 86_400_000).toISOString() })
  await app.settle()
  const paths = [
    '/api/v1/timelines/home?limit=20&max_id=999999999999999999',
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
    '/api/v1/notifications?limit=40',
    '/api/v1/favourites',
    '/api/v1/bookmarks',
    '/api/v1/scheduled_statuses?max_id=999999999999999999',
    '/api/v1/blocks',
    '/api/v1/mutes',
    '/api/v1/follow_requests',
    '/api/v1/followed_tags',
  ]
  const scans: string[] = []
  for (const path of paths) {
    const statements = new Set(await app.countQueries(() => bob.get(path)))
    expect(statements.size).toBeGreaterThan(0)
    for (const statement of statements) {
      const plan = await explain(statement)
      if (whole.test(plan)) scans.push(`${path}\n${statement}\n${plan}`)
    }
  }
  expect(scans).toEqual([])
})

async function explain(statement: string): Promise<string> {
  if (!/^\s*(select|with|insert|update|delete)/i.test(statement)) return ''
  const { rows } = await sql
    .raw<Record<'QUERY PLAN', string>>(`explain (generic_plan) ${statement}`)
    .execute(app.ctx.db)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
