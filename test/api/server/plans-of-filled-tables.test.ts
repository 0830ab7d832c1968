// Plans that are right only for tables with something in them, or as they were when the database last counted them.
import { sql, type RawBuilder } from 'kysely'
import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { explain, skipBefore16 } from '#test/app/plans.ts'

const app = useApp()

test('a feed is read by its owner, also while entries were last counted when there was but one', async ({
  skip,
}) => {
  await skipBefore16(app, skip)
  const alice = await app.person('alice')
  const list = (await alice.post('/api/v1/lists', { title: 'list' })).ok()
  const feeds = [
    { entries: 'home_entries', owner: 'account_id', path: '/api/v1/timelines/home' },
    { entries: 'list_entries', owner: 'list_id', path: `/api/v1/timelines/list/${list.id}` },
  ]
  for (const { path } of feeds) (await alice.get(path)).ok()
  const { id } = await alice.say('hello')
  for (const { entries, owner, path } of feeds) {
    const fill = (from: number, to: number) =>
      sql`insert into ${sql.table(entries)} (${sql.ref(owner)}, status_id)
      select o, ${id}::bigint + i from generate_series(${from}::int, ${to}::int) o, generate_series(1, 800) i
      on conflict do nothing`.execute(app.ctx.db)
    await fill(1, 1)
    await sql`analyze ${sql.table(entries)}`.execute(app.ctx.db)
    await fill(2, 40)
    const texts = await app.countQueries(async () => (await alice.get(path)).ok())
    const plan = await explain(app, texts.find((text) => text.includes(`from "${entries}"`)) ?? '')
    expect(plan).toMatch(
      new RegExp(`using ${entries}_pkey on ${entries}.*\\n\\s+Index Cond: \\(+${owner} = `),
    )
    expect(plan).not.toContain(`${entries}_status`)
  }
})

test('a hashtag of few posts is not looked for among those of all others', async ({ skip }) => {
  await skipBefore16(app, skip)
  const alice = await app.person('alice')
  await alice.say('#rare')
  await sql`insert into tags (id, name, display_name) select i, 'tag' || i, 'Tag' || i from generate_series(1, 200) i`.execute(
    app.ctx.db,
  )
  await sql`insert into statuses (id, account_id, visibility, local)
    select i, ${alice.accountId}, 'public', true from generate_series(1, 5000) i`.execute(app.ctx.db)
  await sql`insert into status_tags (tag_id, status_id) select 1 + i % 200, i from generate_series(1, 5000) i`.execute(
    app.ctx.db,
  )
  await sql`analyze status_tags, statuses, tags`.execute(app.ctx.db)
  const texts = await app.countQueries(async () =>
    (await alice.get('/api/v1/timelines/tag/rare?limit=20')).ok(),
  )
  const text = texts.find((one) => one.includes('from tags g')) ?? ''
  const lines = await explain(app, text)
  expect(lines).toMatch(/using status_tags_pkey.*\n\s+Index Cond: \(tag_id = g\.id\)/)
  expect(lines).not.toContain('status_tags_status')
})

test('what a post boosts is looked up by its id, also while there were no boosts yet when they were counted', async ({
  skip,
}) => {
  await skipBefore16(app, skip)
  const alice = await app.person('alice')
  const fill = (from: number, to: number, original: RawBuilder<unknown>) =>
    sql`insert into statuses (id, account_id, visibility, local, content, reblog_of_id)
      select i, ${alice.accountId}, 'public', true, repeat('x', 800), ${original} from generate_series(${from}::int, ${to}::int) i`.execute(
      app.ctx.db,
    )
  await fill(20_001, 30_000, sql`null`)
  await sql`vacuum analyze statuses`.execute(app.ctx.db)
  await fill(30_001, 32_000, sql`i - 10000`)
  const texts = await app.countQueries(async () => (await alice.get('/api/v1/statuses/20001')).ok())
  const plans = (await Promise.all(texts.map((text) => explain(app, text)))).join('\n')
  expect(plans).toContain('status_stats')
  expect(plans).not.toMatch(/statuses_reblogs.*\n\s+Index Cond: \(id = /)
})
