// Settings say who may read the feeds of people they do not follow.
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { setSetting, type FeedAccess } from '#domain/server/instance/settings.ts'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { asId, type StatusId } from '#lib/id.ts'

const app = useApp()
const live = '/api/v1/timelines/public'
const topic = '/api/v1/timelines/tag/harbour'

let reader: Person
let keeper: Person
let local: string
let remote: string

beforeAll(async () => {
  reader = await app.person('reader')
  keeper = await app.person('keeper', { role: 'Owner' })
  local = (await reader.say('here #harbour')).id
  remote = (await keeper.say('there #harbour')).id
  const { accountId: account_id, domain } = await remoteAccount(app.ctx)
  const uri = `https://${domain}/statuses/1`
  const otherPlace = { local: false, account_id, uri, url: uri }
  await app.ctx.db.updateTable('statuses').set(otherPlace).where('id', '=', asId<StatusId>(remote)).execute()
  await app.settle()
})

const close = async (
  key: 'local_live' | 'remote_live' | 'local_topic' | 'remote_topic',
  access: FeedAccess,
) => {
  await setSetting(app.ctx, `${key}_feed_access`, access as 'public')
}

afterEach(async () => {
  for (const key of ['local_live', 'remote_live', 'local_topic', 'remote_topic'] as const)
    await close(key, 'public')
})

/** Which of the two statuses are shown, or the status of a refusal. */
async function read(client: Client, path: string): Promise<string[] | number> {
  const answer = await client.get(path)
  if (answer.status !== 200) return answer.status
  const ids: string[] = answer.body.map((one: Json) => one.id)
  return [...(ids.includes(local) ? ['local'] : []), ...(ids.includes(remote) ? ['remote'] : [])]
}

describe.each([
  ['live', live],
  ['topic', topic],
] as const)('the %s feeds', (kind, path) => {
  test('are open by default', async () => {
    expect(await read(app.anonymous, path)).toEqual(['local', 'remote'])
    expect(await read(app.anonymous, `${path}?local=true`)).toEqual(['local'])
    expect(await read(app.anonymous, `${path}?remote=true`)).toEqual(['remote'])
  })

  test('leave out the half that strangers may not read', async () => {
    await close(`remote_${kind}`, 'authenticated')
    expect(await read(app.anonymous, path)).toEqual(['local'])
    expect(await read(app.anonymous, `${path}?remote=true`)).toBe(401)
    expect(await read(reader, path)).toEqual(['local', 'remote'])
    const { timelines_access: access } = (await app.anonymous.get('/api/v2/instance')).ok().configuration
    expect(access[kind === 'live' ? 'live_feeds' : 'hashtag_feeds']).toEqual({
      local: 'public',
      remote: 'authenticated',
    })
  })

  test('are refused when nothing is left', async () => {
    await close(`local_${kind}`, 'authenticated')
    await close(`remote_${kind}`, 'authenticated')
    expect(await read(app.anonymous, path)).toBe(401)
    expect(await read(reader, path)).toEqual(['local', 'remote'])
  })

  test('when disabled are for roles that let their people read them', async () => {
    await close(`remote_${kind}`, 'disabled')
    expect(await read(reader, path)).toEqual(['local'])
    expect(await read(reader, `${path}?remote=true`)).toEqual([])
    expect(await read(keeper, path)).toEqual(['local', 'remote'])
  })
})

test('pages show strangers no more', async () => {
  const text = async (path: string) => (await app.fetch(path)).text()
  expect(await text('/')).toContain('here')
  await close('local_live', 'authenticated')
  await close('local_topic', 'authenticated')
  expect(await text('/')).not.toContain('here #')
  expect(await text('/tags/harbour')).not.toContain('>here')
})
