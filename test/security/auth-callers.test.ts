// Who calls is known from memory, in every process: what is taken from somebody is taken in all of them.
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '#app/context.ts'
import { createWebApp } from '#http/server-app.ts'
import { issueToken } from '#domain/identity/oauth/issue-token.ts'
import { findToken } from '#domain/identity/oauth/find-caller.ts'
import { startTwoProcesses, type TwoProcesses } from '#test/app/two-processes.ts'
import type { Person } from '#test/people/people.ts'
import { often, until } from '#test/run/patience.ts'

let two: TwoProcesses
let here: App
let there: App
/** Another program beside them, which is on no bus. */
let psql: pg.Client
/** The status of a request of theirs to the process `there`. */
let statusThere: (token: string) => Promise<number>
let statusHere: (token: string) => Promise<number>

function statusOf(app: App): (token: string) => Promise<number> {
  const web = createWebApp(app.ctx)
  return async (token) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await web.fetch(new Request('http://chat.example/api/v1/markers', { headers }))).status
  }
}

beforeAll(async () => {
  two = await startTwoProcesses({ connections: 2 })
  ;({ here, there } = two)
  statusHere = statusOf(here)
  statusThere = statusOf(there)
  psql = new pg.Client({ connectionString: two.databaseUrl })
  await psql.connect()
})
afterAll(async () => {
  await psql?.end()
  await two?.close()
})

/** Known to both processes. */
async function known(name: string): Promise<Person> {
  const one = await two.person(name)
  expect([await statusHere(one.token), await statusThere(one.token)]).toEqual([200, 200])
  return one
}

const looksUpTokens = () => two.queries.some((text) => text.includes('from oauth_tokens t'))

/** What ends a login or a token, by the statements that do so, whoever runs them. */
const endings: Record<string, (one: Person) => ReturnType<typeof sql>> = {
  'a revoked token': ({ userId }) =>
    sql`update oauth_tokens set revoked_at = now() where user_id = ${userId}`,
  'a deleted token': ({ userId }) => sql`delete from oauth_tokens where user_id = ${userId}`,
  'a disabled login': ({ userId }) => sql`update users set disabled = true where id = ${userId}`,
  'an approval taken back': ({ userId }) => sql`update users set approved = false where id = ${userId}`,
  'a deleted login': ({ userId }) => sql`delete from users where id = ${userId}`,
  'a suspended account': ({ accountId }) =>
    sql`update accounts set suspended_at = now() where id = ${accountId}`,
  'a memorial': ({ accountId }) => sql`update accounts set memorial = true where id = ${accountId}`,
  'an account that moved': ({ accountId }) =>
    sql`update accounts set moved_to_account_id = ${accountId} where id = ${accountId}`,
  'scopes that shrink': ({ userId }) =>
    sql`update oauth_tokens set scopes = '{push}' where user_id = ${userId}`,
}

/** What both processes say to it. The clock stands still: nothing is forgotten with time. */
const statusesOf =
  ({ token }: Person) =>
  () =>
    Promise.all([statusHere(token), statusThere(token)])

describe('a caller who is known from memory', () => {
  test.for(Object.keys(endings))('ends with %s, in all processes at once [ACC-10]', async (name) => {
    const one = await known('ended')
    await endings[name]?.(one).execute(here.ctx.db)
    expect([await statusHere(one.token), await statusThere(one.token)]).not.toContain(200)
  })

  test('ends with all logins that one statement ends, however many they are [ACC-10]', async () => {
    const one = await known('many')
    // The first use of a token changes it.
    expect(await statusesOf(one)()).toEqual([200, 200])
    await sql`
      insert into oauth_tokens (id, user_id, token_hash, scopes)
      select id + n, user_id, sha256(n::text::bytea), scopes
      from oauth_tokens, generate_series(1, 600) n where user_id = ${one.userId}`.execute(here.ctx.db)
    await psql.query('alter table oauth_tokens disable trigger oauth_tokens_notify')
    await sql`update oauth_tokens set revoked_at = now() where user_id = ${one.userId}`.execute(here.ctx.db)
    await psql.query('alter table oauth_tokens enable trigger oauth_tokens_notify')
    expect(await statusesOf(one)()).toEqual([401, 401])
  })

  test('ends when the transaction commits, not before and not without [ACC-10]', async () => {
    const [lost, kept] = [await known('lost'), await known('kept')]
    const disable = (one: Person) => sql`update users set disabled = true where id = ${one.userId}`
    await here.ctx.transaction(async (tx) => {
      await disable(lost).execute(tx.db)
      // Read, and kept, between the change and its commit.
      expect(await statusThere(lost.token)).toBe(200)
    })
    expect([await statusHere(lost.token), await statusThere(lost.token)]).toEqual([403, 403])
    const undone = here.ctx.transaction(async (tx) => {
      await disable(kept).execute(tx.db)
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect([await statusHere(kept.token), await statusThere(kept.token)]).toEqual([200, 200])
  })

  test.for(Object.keys(endings))('ends with %s by another program, everywhere [ACC-10]', async (name) => {
    const one = await known('ended')
    const { sql: text, parameters } = endings[name]!(one).compile(here.ctx.db)
    await psql.query(text, [...parameters])
    await expect.poll(statusesOf(one), often).not.toContain(200)
  })

  test('ends after the connection was lost that listens [ACC-10]', async () => {
    const one = await known('between')
    const { rowCount } = await psql.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ~ '^(listen|select pg_notify)'`)
    expect(rowCount).toBe(2)
    await psql.query('update users set disabled = true where id = $1', [one.userId])
    await expect.poll(statusesOf(one), often).not.toContain(200)
    const later = await known('later')
    await psql.query('update users set disabled = true where id = $1', [later.userId])
    await expect.poll(statusesOf(later), often).not.toContain(200)
  })

  test('ends within five seconds where the news are lost [ACC-10]', async () => {
    const one = await known('unheard')
    two.cut(true)
    await psql.query('alter table users disable trigger users_notify')
    await sql`update users set disabled = true where id = ${one.userId}`.execute(here.ctx.db)
    two.cut(false)
    await psql.query('alter table users enable trigger users_notify')
    expect(await statusHere(one.token)).toBe(403)
    two.clock.advance(5_000)
    expect(await statusThere(one.token)).toBe(403)
  })

  test('ends with the time of the token, also where nothing changes [ACC-10]', async () => {
    const one = await known('brief')
    const { secret } = await here.ctx.transaction((tx) =>
      issueToken(tx, { applicationId: null, userId: one.userId, scopes: ['read'] }),
    )
    await sql`update oauth_tokens set expires_at = ${new Date(two.clock.now() + 2_000)}
      where user_id = ${one.userId}`.execute(here.ctx.db)
    expect(await statusThere(secret)).toBe(200)
    two.clock.advance(2_000)
    expect(await statusThere(secret)).toBe(401)
  })

  test('has the role and the settings of now, in all processes [ACC-10]', async () => {
    const one = await known('promoted')
    const seen = async () => {
      const found = await findToken(there.ctx, one.token)
      const viewer = found.state === 'valid' ? found.viewer : null
      return [viewer?.rank, viewer?.locale, viewer?.filtersVersion, viewer?.locked]
    }
    expect(await seen()).toEqual([-1, 'en', 0, false])
    await sql`update users set role_id = 3, locale = 'de', filters_version = 7 where id = ${one.userId}`.execute(
      here.ctx.db,
    )
    await sql`update accounts set locked = true where id = ${one.accountId}`.execute(here.ctx.db)
    const [rank] = await seen()
    expect(await seen()).toEqual([expect.any(Number), 'de', 7, true])
    await sql`update roles set position = position + 1 where id = 3`.execute(here.ctx.db)
    expect(await seen()).toEqual([(rank as number) + 1, 'de', 7, true])
    await sql`update roles set require_2fa = true where id = 3`.execute(here.ctx.db)
    expect(await seen()).toEqual([-1, 'de', 7, true])
    await sql`insert into passkeys (id, user_id, credential_id, public_key, nickname)
      values (1, ${one.userId}, '\\x01', '\\x01', 'key')`.execute(here.ctx.db)
    expect(await seen()).toEqual([(rank as number) + 1, 'de', 7, true])
  })

  test('is read from the database once, and somebody who is unknown each time', async () => {
    const one = await known('known')
    two.queries.length = 0
    expect(await statusThere(one.token)).toBe(200)
    expect(looksUpTokens()).toBe(false)
    for (let i = 0; i < 2; i++) {
      two.queries.length = 0
      expect(await statusThere('guessed')).toBe(401)
      expect(looksUpTokens()).toBe(true)
    }
  })
})

describe('what the database tells to all', () => {
  /** What the database tells of while `work` is done, once each. */
  async function toldOf(work: () => Promise<unknown>): Promise<string[]> {
    const told: string[] = []
    const listener = new pg.Client({ connectionString: two.databaseUrl })
    await listener.connect()
    listener.on('notification', ({ payload }) => told.push(payload ?? ''))
    await listener.query('listen stonechat_changes')
    await work()
    await psql.query("select pg_notify('stonechat_changes', 'end')")
    await until(
      () => told.includes('end'),
      () => 'the end is not heard',
    )
    await listener.end()
    return told.slice(0, -1)
  }

  test('is nothing that changes all the time', async () => {
    const one = await known('busy')
    const server = new pg.Client({ connectionString: two.databaseUrl, application_name: 'stonechat' })
    await server.connect()
    const work = async () => {
      for (const text of [
        `update oauth_tokens set last_used_at = now() where user_id = ${one.userId}`,
        `update users set last_active_at = now(), digest_sent_at = now() where id = ${one.userId}`,
        `update accounts set version = version + 1, updated_at = now() where id = ${one.accountId}`,
        `insert into custom_emojis (id, shortcode, domain) values (1, 'far', 'far.example')`,
        `update spam_rules set hits = hits + 1`,
        `update webhooks set last_status = 200`,
      ])
        await server.query(text)
      await one.say('hello')
    }
    expect(await toldOf(work).finally(() => server.end())).toEqual([])
  })

  test('is of what pages show only what other programs change, whichever row it is', async () => {
    const { id } = await (await known('shown')).say('hello')
    const work = async () => {
      await psql.query(`update statuses set version = version + 1 where id = ${id}`)
      await psql.query(`update status_stats set replies_count = 0 where status_id = ${id}`)
    }
    expect(await toldOf(work)).toEqual(['status', 'status'])
  })

  test('is said once for each transaction, however many statements change it', async () => {
    const one = await known('often')
    const work = async () => {
      await psql.query('begin')
      for (const locale of ['de', 'en', 'de'])
        await psql.query('update users set locale = $2 where id = $1', [one.userId, locale])
      for (const name of ['a', 'b'])
        await psql.query('insert into rules (id, text) values ($1, $2)', [name.codePointAt(0), name])
      await psql.query('commit')
    }
    expect(await toldOf(work)).toEqual([`user ${one.userId}`, 'rules'])
  })

  test('leaves no column of a caller out by oversight', async () => {
    const { rows } = await psql.query<{ name: string }>(`
      select format('%s.%s', c.relname, a.attname) as name
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where t.tgname in ('oauth_tokens_notify', 'users_notify', 'accounts_notify', 'spam_rules_notify', 'webhooks_notify')
        and not a.attnum = any(t.tgattr::int2[])
      order by 1`)
    // A new column needs the trigger made anew by a migration, or a line here: it changes all the time, and decides nothing.
    expect(rows.map(({ name }) => name)).toEqual([
      'accounts.fetched_at',
      'accounts.search_names',
      'accounts.tried_at',
      'accounts.updated_at',
      'accounts.version',
      'oauth_tokens.last_used_at',
      'oauth_tokens.push_lost_at',
      'spam_rules.hits',
      'spam_rules.last_hit_at',
      'users.digest_sent_at',
      'users.last_active_at',
      'users.otp_last_step',
      'users.sign_up_ip',
      'webhooks.last_error',
      'webhooks.last_status',
      'webhooks.last_tried_at',
    ])
  })
})
