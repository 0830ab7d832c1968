// Keys: those with which this server signs, and those with which others do.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { findRemoteKey } from '#federation/keys/find-remote-key.ts'
import { rotateKeys } from '#domain/federation/queue/rotate-keys.ts'
import { ensureSigningKeys } from '#federation/signatures/signing-keys.ts'
import { useNetwork } from '#test/servers/network.ts'
import { borrowKey, type PeerKey } from '#test/peer/keys.ts'
import { asId, type AccountId } from '#lib/id.ts'

const network = useNetwork()

async function setUp() {
  return { app: await network.server(), peer: await network.peer() }
}

type Setting = Awaited<ReturnType<typeof setUp>>

const find = ({ app }: Setting, keyId: string, refetch = false) => findRemoteKey(app.ctx, keyId, { refetch })

/** The PEM of what was found; null for a problem. */
function pemOf(found: Awaited<ReturnType<typeof find>>): string | null {
  return 'key' in found ? found.key.export({ type: 'spki', format: 'pem' }).toString() : null
}

const keyDocument = (id: string, owner: string, key: PeerKey) => ({
  id,
  type: 'Key',
  owner,
  publicKeyPem: key.publicKeyPem,
})

const stored = async ({ app }: Setting) =>
  (
    await sql<{ key_id: string }>`select key_id from remote_keys order by key_id`.execute(app.ctx.db)
  ).rows.map((row) => row.key_id)

describe('keys of this server', () => {
  test('one pair for each account, whoever asks first, and one for the instance', async () => {
    const { app } = await setUp()
    const person = await app.person('keyed')
    const all = await Promise.all([1, 2, 3].map(() => ensureSigningKeys(app.ctx, person.accountId)))
    expect(new Set(all.map((keys) => keys.rsa.publicKeyPem)).size).toBe(1)
    expect(all[0]).toMatchObject({ rsa: { id: `${app.baseUrl}/users/${person.username}#main-key` } })
    expect(await ensureSigningKeys(app.ctx, null)).toMatchObject({ actorUri: `${app.baseUrl}/actor` })
    expect(await app.countQueries(() => ensureSigningKeys(app.ctx, person.accountId))).toHaveLength(0)
  })

  test('new keys replace old ones', async () => {
    const { app } = await setUp()
    const person = await app.person('rotated')
    const before = await ensureSigningKeys(app.ctx, person.accountId)
    await rotateKeys(app.ctx, 'operator', person.accountId)
    // As with keys that another process replaced: those that are kept are used for a while.
    expect(await ensureSigningKeys(app.ctx, person.accountId)).toBe(before)
    const after = await ensureSigningKeys(app.ctx, person.accountId, { anew: true })
    expect(after.rsa.publicKeyPem).not.toBe(before.rsa.publicKeyPem)
    expect(after.ed25519.publicKeyMultibase).not.toBe(before.ed25519.publicKeyMultibase)
    expect(await ensureSigningKeys(app.ctx, person.accountId)).toBe(after)
  })

  test('accounts of others have no keys to sign with', async () => {
    const { app } = await setUp()
    await expect(ensureSigningKeys(app.ctx, asId<AccountId>('1'))).rejects.toThrow(
      'only accounts of this server',
    )
  })
})

describe('keys of others', () => {
  test('a known key costs one query', async () => {
    const setting = await setUp()
    const actor = await setting.peer.actor('bob')
    expect(pemOf(await find(setting, actor.keyId))).toBe(actor.key.publicKeyPem)
    const queries = await setting.app.countQueries(async () => {
      expect(await find(setting, actor.keyId)).toMatchObject({ actor: { uri: actor.uri } })
    })
    expect(queries).toHaveLength(1)
  })

  test('the owner must be on the same server, and its own document must list the key [FED-11]', async () => {
    const setting = await setUp()
    const { peer } = setting
    const other = await network.peer('127.0.0.3')
    const [victim, bob, key] = [await other.actor('victim'), await peer.actor('bob'), await borrowKey()]
    peer.put('/keys/1', keyDocument(peer.url('/keys/1'), victim.uri, key))
    expect(await find(setting, peer.url('/keys/1'))).toHaveProperty('problem')
    peer.put('/keys/2', keyDocument(peer.url('/keys/2'), bob.uri, key))
    expect(await find(setting, peer.url('/keys/2'))).toHaveProperty('problem')
    const owned = { id: `${victim.uri}#main-key`, owner: victim.uri, publicKeyPem: key.publicKeyPem }
    const thief = await peer.actor('thief', { publicKey: owned })
    expect(await find(setting, `${thief.uri}#main-key`)).toHaveProperty('problem')
    expect(pemOf(await find(setting, victim.keyId))).toBe(victim.key.publicKeyPem)
    const neighbour = await other.actor('neighbour', { publicKey: owned })
    await find(setting, neighbour.uri)
    expect(pemOf(await find(setting, victim.keyId))).toBe(victim.key.publicKeyPem)
  })

  test('a key of its own document, which the owner names', async () => {
    const setting = await setUp()
    const { peer } = setting
    const [id, key] = [peer.url('/keys/9'), await borrowKey()]
    const actor = await peer.actor('apart', { publicKey: id })
    peer.put('/keys/9', keyDocument(id, actor.uri, key))
    expect(await find(setting, id)).toMatchObject({ actor: { uri: actor.uri } })
    expect(pemOf(await find(setting, id))).toBe(key.publicKeyPem)
  })

  test('a stub of the actor at the address of the key leads to the actor', async () => {
    const setting = await setUp()
    const { peer } = setting
    const [uri, key] = [peer.url('/users/stub'), await borrowKey()]
    const publicKey = { id: `${uri}/main-key`, owner: uri, publicKeyPem: key.publicKeyPem }
    await peer.actor('stub', { publicKey })
    peer.put('/users/stub/main-key', { id: uri, type: 'Person', preferredUsername: 'stub', publicKey })
    expect(pemOf(await find(setting, `${uri}/main-key`))).toBe(key.publicKeyPem)
  })

  test('the id of the actor, and its handle, stand for its key', async () => {
    const setting = await setUp()
    const actor = await setting.peer.actor('tube')
    expect(pemOf(await find(setting, actor.uri))).toBe(actor.key.publicKeyPem)
    expect(pemOf(await find(setting, `acct:${actor.handle}`))).toBe(actor.key.publicKeyPem)
  })

  test('a key document of another id is not the key that was asked for [FED-12]', async () => {
    const setting = await setUp()
    const { peer } = setting
    const [bob, key] = [await peer.actor('bob'), await borrowKey()]
    peer.put('/keys/3', keyDocument(peer.url('/keys/4'), bob.uri, key))
    peer.put('/keys/4', keyDocument(peer.url('/keys/4'), bob.uri, key))
    expect(await find(setting, peer.url('/keys/3'))).toHaveProperty('problem')
    expect(await stored(setting)).not.toContain(peer.url('/keys/3'))
  })

  test('a changed key is fetched once, and the old one is none any more [FED-13]', async () => {
    const setting = await setUp()
    const { peer } = setting
    const actor = await peer.actor('new')
    const old = actor.key.publicKeyPem
    expect(pemOf(await find(setting, actor.keyId))).toBe(old)
    await actor.changeKey()
    peer.requests.length = 0
    expect(pemOf(await find(setting, actor.keyId, true))).toBe(actor.key.publicKeyPem)
    expect(pemOf(await find(setting, actor.keyId))).not.toBe(old)
    for (let again = 0; again < 5; again += 1) await find(setting, actor.keyId, true)
    expect(peer.requests.filter((one) => one.path === '/users/new')).toHaveLength(1)
    await network.advance(600_000)
    await find(setting, actor.keyId, true)
    expect(peer.requests.filter((one) => one.path === '/users/new')).toHaveLength(2)
  })

  test('a key that is not there is asked for once in some minutes, whatever its fragment [SSRF-17]', async () => {
    const setting = await setUp()
    const { peer } = setting
    for (let again = 0; again < 20; again += 1) {
      expect(await find(setting, peer.url(`/users/none#key-${again}`))).toHaveProperty('problem')
    }
    expect(peer.requests.filter((one) => one.path === '/users/none')).toHaveLength(1)
  })

  test.each([
    ['this server', 'own'],
    ['no server', 'mailto:a@b.example'],
    ['nothing', ''],
    ['a file', 'file:///etc/passwd'],
  ])('a key of %s is refused without asking anybody', async (_, id) => {
    const setting = await setUp()
    const keyId = id === 'own' ? `${setting.app.baseUrl}/actor#main-key` : id
    expect(await find(setting, keyId)).toHaveProperty('problem')
  })

  test('keys that are malformed or too weak are none', async () => {
    const setting = await setUp()
    const { peer } = setting
    const uri = peer.url('/users/weak')
    await peer.actor('weak', { publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem: 'nonsense' } })
    expect(await find(setting, `${uri}#main-key`)).toHaveProperty('problem')
  })
})

test('those who follow an account of a server that was set up anew ask again', async () => {
  const setting = await setUp()
  const { app, peer } = setting
  const person = await app.person('loyal')
  const actor = await peer.actor('phoenix')
  const { id } = await app.find(person, actor.handle)
  await person.post(`/api/v1/accounts/${id}/follow`)
  await app.settle()
  await actor.acceptFollow()
  await app.settle()
  await actor.changeKey()
  await find(setting, actor.keyId, true)
  await app.settle()
  expect(await peer.received('Follow', 2)).toHaveLength(2)
})
