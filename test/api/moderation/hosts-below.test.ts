import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isBelow, listHostsBelow } from '#domain/server/hosts/hosts-below.ts'
import { useApp } from '#test/app/app.ts'

const app = useApp()

const known: [domain: string, uriHost: string | null][] = [
  ['a.example', 'a.example'],
  ['a.example', 'web.a.example'],
  ['a.example', null],
  ['b.a.example', 'b.a.example'],
  ['c.b.a.example:8443', 'c.b.a.example:8443'],
  ['a.example:444', 'a.example:444'],
  ['not-a.example', 'not-a.example'],
  ['nota.example', 'x.b.a.example'],
  ['elsewhere.example', 'not-a.example'],
  ['a.example.org', 'a.example.org'],
  ['example', 'example'],
]

test.each([
  'a.example',
  'b.a.example',
  'a.example:444',
  'example',
  'c.b.a.example',
  'none.example',
  '%',
  'not_a.example',
])('the servers below %s are those that a look at each of them finds', async (domain) => {
  for (const [index, [host, uriHost]] of known.entries())
    await sql`
        insert into accounts (id, username, domain, uri, uri_host)
        values (${index + 1}, ${`u${index}`}, ${host}, ${`https://${host}/${index}`}, ${uriHost})
        on conflict do nothing`.execute(app.ctx.db)
  const { rows } = await sql`
      select distinct domain, uri_host as "uriHost" from accounts
      where domain is not null and (${isBelow(sql`domain`, domain)} or ${isBelow(sql`uri_host`, domain)})`.execute(
    app.ctx.db,
  )
  const found = await listHostsBelow(app.ctx, domain)
  const order = (pairs: readonly unknown[]) => pairs.map((pair) => JSON.stringify(pair)).toSorted()
  expect(order(found)).toEqual(order(rows))
})

test('other servers cost nothing, however many there are', async () => {
  await sql`
    insert into accounts (id, username, domain, uri, uri_host)
    select 1000 + n, 'u', 'h' || n || '.example', 'https://h' || n || '.example/u', 'h' || n || '.example'
    from generate_series(1, 5000) n on conflict do nothing`.execute(app.ctx.db)
  await sql`analyze accounts`.execute(app.ctx.db)
  const { found, read } = await app.ctx.db.transaction().execute(async (db) => {
    const hosts = await listHostsBelow({ ...app.ctx, db }, 'h7.example')
    const { rows } = await sql<{ read: number }>`
      select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read
      from pg_stat_xact_user_tables where relname = 'accounts'`.execute(db)
    return { found: hosts, read: rows[0]?.read }
  })
  expect(found).toEqual([{ domain: 'h7.example', uriHost: 'h7.example' }])
  expect(read).toBeGreaterThan(0)
  // Of 5,000; the planner looks at some rows to guess how many there are.
  expect(read).toBeLessThan(1_000)
})
