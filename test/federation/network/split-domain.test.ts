// A server whose handles are of one domain and whose addresses are of another, with others that federate with it.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { befriend, citizen, relationOf, type Citizen } from '#test/people/citizens.ts'
import { startProcess } from '#test/processes/processes.ts'
import { freePort } from '#test/processes/free-port.ts'
import { until } from '#test/run/patience.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import { exampleOf, proxyMissing } from '#test/servers/proxies.ts'

const network = useNetwork()
const missing = proxyMissing('nginx')

/** The web server of the domain in handles, with the snippet of the documents and nothing else. */
async function startHandlesHost(domain: string, webDomain: string): Promise<() => void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-split-'))
  const snippet = await exampleOf('docs/operators/domains.md', 'location = /.well-known/webfinger')
  const file = path.join(folder, 'nginx.conf')
  await writeFile(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr warn; worker_processes 1; events {}
    http { access_log off; server { listen ${domain}; ${snippet.replaceAll('https://social.example.org', `http://${webDomain}`)} } }`,
  )
  const child = startProcess('nginx', ['-c', file], { stdio: 'ignore' })
  const isUp = async () => (await fetch(`http://${domain}/`).catch(() => null)) !== null
  await until(isUp, () => `nginx at ${domain}`)
  return () => void child.kill()
}

describe.skipIf(missing !== null)(missing ?? 'with handles on another domain than addresses', () => {
  let split: NetworkServer, other: NetworkServer
  let alice: Citizen, bob: Citizen
  let stop: () => void

  beforeAll(async () => {
    other = await network.server('other')
    const handles = `127.0.1.200:${await freePort('127.0.1.200')}`
    split = await network.server('split', { handles, env: { ALTERNATE_DOMAINS: 'former.example' } })
    stop = await startHandlesHost(handles, split.ctx.config.webDomain)
    ;[alice, bob] = [await citizen(split, 'alice'), await citizen(other, 'bob')]
  })
  afterAll(() => stop?.())

  test('people are found by handle, address or the name of the web host, and are one account', async () => {
    const { webDomain, baseUrl } = split.ctx.config
    const found = await other.find(bob, alice.handle)
    expect(found).toMatchObject({ acct: alice.handle, url: `${baseUrl}/@${alice.username}` })
    expect((await other.find(bob, alice.uri)).id).toBe(found.id)
    expect((await other.find(bob, `${alice.username}@${webDomain}`)).id).toBe(found.id)
  })

  test('follows, mentions and answers go both ways', async () => {
    await befriend(bob, alice)
    await befriend(alice, bob)
    expect(await relationOf(bob, alice)).toMatchObject({ following: true, followed_by: true })
    const said = await alice.say(`hello @${bob.handle}`)
    await network.settleAll()
    const [there] = (await bob.get('/api/v1/notifications', { types: ['mention'] })).ok()
    expect(there.status).toMatchObject({ uri: said.uri, account: { acct: alice.handle } })
    await bob.say(`hello @${alice.handle}`, { in_reply_to_id: there.status.id })
    await network.settleAll()
    const { descendants } = (await alice.get(`/api/v1/statuses/${said.id}/context`)).ok()
    expect(descendants).toMatchObject([
      { account: { acct: bob.handle }, mentions: [{ acct: alice.username }] },
    ])
  })

  test('handles and addresses of a further domain mean the people of this server', async () => {
    for (const name of [`${alice.username}@former.example`, `https://former.example/@${alice.username}`])
      expect(await split.find(alice, name)).toMatchObject({ id: alice.accountId, acct: alice.username })
    const said = await alice.say('here', { visibility: 'public' })
    const address = `https://former.example/@${alice.username}/${said.id}`
    expect(await split.find(alice, address)).toMatchObject({ id: said.id })
    const resource = encodeURIComponent(`acct:${alice.username}@former.example`)
    const described = await split.fetch(`/.well-known/webfinger?resource=${resource}`)
    expect(await described.json()).toMatchObject({ subject: `acct:${alice.handle}` })
    expect((await split.find(alice, 'nobody@former.example')) ?? null).toBeNull()
  })
})
