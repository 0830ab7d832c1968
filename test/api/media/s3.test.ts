// A whole server that keeps its media in an S3 store.
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import { s3Missing, startS3, type S3Server } from '#test/servers/s3-server.ts'
import { createServerProcess, type ServerProcess } from '#test/processes/server-process.ts'

const avatarPattern = /^avatars\/\d+\/[A-Za-z0-9_-]{43}\.png$/

async function uploadAvatar(person: Person): Promise<string> {
  const picture = await sharp({ create: { width: 500, height: 500, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set('avatar', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'avatar.png')
  return (await person.patch('/api/v1/accounts/update_credentials', form)).ok().avatar
}

describe.skipIf(s3Missing)(s3Missing ? `S3: ${s3Missing}` : 'S3', () => {
  let store: S3Server
  beforeAll(async () => {
    store = await startS3()
  })
  afterAll(() => store?.remove())

  const inBucket = (key: string) => store.request('GET', `/media/${key}`)

  describe('without a public address', () => {
    let app: TestApp
    beforeAll(async () => {
      app = await startApp({ env: store.env })
    })
    afterAll(() => app?.close())

    test('an avatar is in the bucket, and this server passes it on', async () => {
      const url = await uploadAvatar(await app.person('alice'))
      const key = url.replace('https://chat.example/media/', '')
      expect(key).toMatch(avatarPattern)
      const held = await inBucket(key)
      expect([held.status, held.headers.get('content-type')]).toEqual([200, 'image/png'])
      const bytes = Buffer.from(await held.arrayBuffer())

      const whole = await app.fetch(url)
      expect(whole.status).toBe(200)
      expect(whole.headers.get('content-type')).toBe('image/png')
      expect(whole.headers.get('content-length')).toBe(String(bytes.length))
      expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)

      const part = await app.fetch(url, { headers: { range: 'bytes=1-3' } })
      expect([part.status, await part.text()]).toEqual([206, 'PNG'])
      expect(part.headers.get('content-range')).toBe(`bytes 1-3/${bytes.length}`)
      expect((await app.fetch(url, { headers: { range: 'bytes=99999999-' } })).status).toBe(416)
      expect((await app.fetch(url, { method: 'HEAD' })).headers.get('content-length')).toBe(`${bytes.length}`)
      expect((await app.fetch(url.replace('.png', '.jpg'))).status).toBe(404)
    })

    test('files of a suspended account are given to nobody by the store, until it is no longer suspended', async () => {
      const [eve, admin] = [await app.person('eve'), await app.person('root', { role: 'Admin' })]
      const avatar = (await uploadAvatar(eve)).replace('https://chat.example/media/', '')
      const grants = async () => {
        await app.settle()
        return (await inBucket(`${avatar}?acl`)).text()
      }
      expect(await grants()).toContain('/groups/global/AllUsers')
      const path = `/api/v1/admin/accounts/${eve.accountId}`
      await admin.post(`${path}/action`, { type: 'suspend' })
      expect(await grants()).not.toContain('AllUsers')
      const held = await inBucket(avatar)
      expect([held.status, held.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect((await held.arrayBuffer()).byteLength).toBeGreaterThan(100)
      await admin.post(`${path}/unsuspend`)
      expect(await grants()).toContain('/groups/global/AllUsers')
    })

    test('an avatar that is replaced leaves the bucket', async () => {
      const bob = await app.person('bob')
      const first = await uploadAvatar(bob)
      const second = await uploadAvatar(bob)
      await app.settle()
      expect(second).not.toBe(first)
      expect((await inBucket(first.replace('https://chat.example/media/', ''))).status).toBe(404)
      expect((await app.fetch(first)).status).toBe(404)
      const kept = await app.fetch(second)
      expect(kept.status).toBe(200)
      await kept.body?.cancel()
    })
  })

  test('with a public address people are sent there, and pages allow it and no other host [CNT-23]', async () => {
    const env = { S3_ALIAS_HOST: 'files.example.org/here', S3_KEY_PREFIX: 'our chat' }
    const app = await startApp({ env: { ...store.env, ...env } })
    try {
      const alice = await app.person('alice')
      const url = await uploadAvatar(alice)
      const key = url.replace('https://files.example.org/here/our%20chat/', '')
      expect(key).toMatch(avatarPattern)
      expect((await inBucket(`our%20chat/${key}`)).status).toBe(200)
      const page = await app.fetch(`/@${alice.username}`, { headers: { accept: 'text/html' } })
      expect(await page.text()).toContain(`src="${url}"`)
      const policy = page.headers.get('content-security-policy')!.split('; ')
      expect(policy).toContain("img-src 'self' https://chat.example https://files.example.org data:")
      expect(policy).toContain("media-src 'self' https://chat.example https://files.example.org")
      // Whoever asks here all the same gets it here.
      const passedOn = await app.fetch(`/media/${key}`)
      expect(passedOn.status).toBe(200)
      await passedOn.body?.cancel()
    } finally {
      await app.close()
    }
  })

  test('a store that is away is an error of ours, told without details', async () => {
    const app = await startApp({ env: { ...store.env, S3_BUCKET: 'nowhere' } })
    try {
      const answer = await app.fetch('/media/avatars/1/a.png')
      expect([answer.status, await answer.json()]).toEqual([
        503,
        { error: 'Media storage cannot be reached' },
      ])
      expect(JSON.stringify(app.logLines)).toContain('NoSuchBucket')
    } finally {
      await app.close()
    }
  })

  describe('doctor', () => {
    const servers: ServerProcess[] = []
    const hosts: Server[] = []
    afterAll(async () => {
      for (const host of hosts) host.close()
      for (const server of servers) await server.remove()
    })

    async function storageFinding(env: Record<string, string>) {
      const server = await createServerProcess({ prepared: true, env: { ...store.env, ...env } })
      servers.push(server)
      const { stdout } = await server.command('doctor', '--json')
      const findings = JSON.parse(stdout) as { part: string; state: string; text: string }[]
      return findings.find(({ part }) => part === 'storage')
    }

    async function aliasHost(status: number): Promise<string> {
      const host = createServer((_, answer) => answer.writeHead(status).end()).listen(0, '127.0.0.1')
      hosts.push(host)
      await once(host, 'listening')
      return `http://127.0.0.1:${(host.address() as AddressInfo).port}`
    }

    test('puts, reads and deletes a file, and looks whether people get it', async () => {
      expect(await storageFinding({})).toMatchObject({
        part: 'storage',
        state: 'ok',
        text: 'bucket media takes and gives files',
      })
      const listing = await (await inBucket('')).text()
      expect(listing).toContain('<Name>media</Name>')
      expect(listing).not.toContain('doctor/')
      const good = await aliasHost(200)
      expect(await storageFinding({ S3_ALIAS_HOST: good })).toMatchObject({
        state: 'ok',
        text: expect.stringContaining(`${good} shows them`),
      })
      expect(await storageFinding({ S3_ALIAS_HOST: await aliasHost(403) })).toMatchObject({
        state: 'problem',
        text: expect.stringMatching(/people get 403 for one$/),
      })
    })

    test('says what is wrong', async () => {
      expect(await storageFinding({ S3_BUCKET: 'nowhere' })).toMatchObject({
        state: 'problem',
        text: expect.stringMatching(/^PUT of doctor\/.* 404 NoSuchBucket$/),
      })
    })
  })
})
