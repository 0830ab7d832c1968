import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { minutes } from '#test/app/clock.ts'
import { uploadForm } from '#test/client/upload.ts'

const app = useApp({ env: { RATE_LIMITS: 'on' } })

test('30 uploads in half an hour, by both routes together', async () => {
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const upload = (version: number) =>
    alice.post(`/api/v${version}/media`, uploadForm(Buffer.from('no picture')))
  for (let i = 0; i < 30; i++) expect((await upload(1 + (i % 2))).status).toBe(422)
  for (const version of [1, 2]) expect((await upload(version)).status).toBe(429)
  const others = await bob.post('/api/v2/media', uploadForm(Buffer.from('no picture')))
  expect(others.status).toBe(422)
  app.clock.advance(minutes(30))
  expect((await upload(2)).status).toBe(422)
})

test('30 looks through the proxy in ten minutes from one address', async () => {
  const ask = async (address: string) =>
    (await app.fetch('/media_proxy/1/original', { headers: { 'x-forwarded-for': address } })).status
  for (let i = 0; i < 30; i++) expect(await ask('203.0.113.5')).toBe(404)
  expect(await ask('203.0.113.5')).toBe(429)
  expect(await ask('203.0.113.6')).toBe(404)
})
