// What statuses carry, through a client that others wrote: the masto package, against the real program.
import { readFile } from 'node:fs/promises'
import { createRestAPIClient, type mastodon } from 'masto'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServerProcess, type ServerProcess } from '#test/processes/server-process.ts'
import { ffmpegMissing, tone, useFolder } from '#test/files/media-files.ts'
import { isNight } from '#test/run/night.ts'

const folder = useFolder()
const tokens = new Map<string, string>()
let server: ServerProcess
let alice: mastodon.rest.Client
let bob: mastodon.rest.Client

beforeAll(async () => {
  server = await createServerProcess({ prepared: true, env: { OAUTH_PASSWORD_GRANT: 'true' } })
  await server.start()
  alice = await signIn('alice')
  bob = await signIn('bob')
})
afterAll(() => server?.remove())

async function signIn(name: string): Promise<mastodon.rest.Client> {
  await server.command('accounts', 'create', name, '--email', `${name}@mail.example`, '--confirmed')
  const accessToken = (await server.command('tokens', 'create', name)).stdout.trim()
  tokens.set(name, accessToken)
  return createRestAPIClient({ url: server.url, accessToken })
}

const picture = async (color: string) =>
  new Blob([
    await sharp({ create: { width: 900, height: 600, channels: 3, background: color } })
      .jpeg()
      .toBuffer(),
  ])

test.runIf(isNight)('pictures with descriptions, in their order, and their change by an edit', async () => {
  const [blue, red] = [
    await alice.v2.media.create({ file: await picture('#224488'), description: 'Blue', focus: '0.5,-0.5' }),
    await alice.v2.media.create({ file: await picture('#882244') }),
  ]
  await alice.v1.media.$select(red.id).update({ description: 'Red' })
  const status = await alice.v1.statuses.create({ status: 'two', mediaIds: [red.id, blue.id] })
  expect(status.mediaAttachments.map((one) => [one.id, one.description])).toEqual([
    [red.id, 'Red'],
    [blue.id, 'Blue'],
  ])
  expect(status.mediaAttachments[1]?.meta).toMatchObject({ focus: { x: 0.5, y: -0.5 } })
  const file = await fetch(status.mediaAttachments[0]?.url as string)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const edited = await alice.v1.statuses.$select(status.id).update({
    status: 'one',
    mediaIds: [blue.id],
    mediaAttributes: [{ id: blue.id, description: 'Very blue' }],
  })
  expect(edited.mediaAttachments.map((one) => one.description)).toEqual(['Very blue'])
  const history = await bob.v1.statuses.$select(status.id).history.list()
  expect(
    history.map((version) => [version.content, version.mediaAttachments.map((one) => one.description)]),
  ).toEqual([
    ['<p>two</p>', ['Red', 'Blue']],
    ['<p>one</p>', ['Very blue']],
  ])
  expect(await alice.v1.statuses.$select(status.id).source.fetch()).toMatchObject({ text: 'one' })
})

test.skipIf(ffmpegMissing !== null || !isNight)(
  'a sound, for which the client waits (skipped without ffmpeg)',
  async () => {
    const file = new Blob([await readFile(folder.encode('beep.wav', ...tone()))])
    const media = await alice.v2.media.create({ file, description: 'Beep' })
    expect(media).toMatchObject({ type: 'audio', description: 'Beep', url: expect.stringMatching(/\.mp3$/) })
    const status = await alice.v1.statuses.create({ status: 'listen', mediaIds: [media.id] })
    expect(status.mediaAttachments[0]?.meta?.original).toMatchObject({ duration: expect.any(Number) })
  },
)

test.runIf(isNight)('a poll and its votes', async () => {
  const { poll } = await alice.v1.statuses.create({
    status: 'Which?',
    poll: { options: ['this', 'that'], expiresIn: 600, hideTotals: true },
  })
  const voted = await bob.v1.polls.$select(poll?.id as string).votes.create({ choices: [1] })
  expect(voted).toMatchObject({ voted: true, ownVotes: [1], votesCount: 1, votersCount: 1 })
  expect(voted.options.map((option) => option.votesCount)).toEqual([null, null])
  await expect(bob.v1.polls.$select(poll?.id as string).votes.create({ choices: [0] })).rejects.toThrow(
    /already voted/,
  )
})

test.runIf(isNight)('a quote, its list and its end', async () => {
  const quoted = await alice.v1.statuses.create({ status: 'wise words' })
  const quote = await bob.v1.statuses.create({ status: 'indeed', quotedStatusId: quoted.id })
  expect(quote.quote).toMatchObject({ state: 'accepted', quotedStatus: { id: quoted.id } })
  const quotes = await alice.v1.statuses.$select(quoted.id).quotes.list()
  expect(quotes.map((one) => one.id)).toEqual([quote.id])
  // The client has no method for it yet.
  const revoked = await fetch(`${server.url}/api/v1/statuses/${quoted.id}/quotes/${quote.id}/revoke`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens.get('alice')}` },
  })
  expect(revoked.status).toBe(200)
  expect((await bob.v1.statuses.$select(quote.id).fetch()).quote).toMatchObject({ state: 'revoked' })
})

test.runIf(isNight)('a scheduled status, moved and cancelled', async () => {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const scheduled = await alice.v1.statuses.create({ status: 'later', scheduledAt: at(30) })
  expect(scheduled.params.text).toBe('later')
  const moved = await alice.v1.scheduledStatuses.$select(scheduled.id).update({ scheduledAt: at(60) })
  expect(Date.parse(moved.scheduledAt) - Date.parse(scheduled.scheduledAt)).toBeGreaterThan(29 * 60_000)
  expect((await alice.v1.scheduledStatuses.list()).map((one) => one.id)).toEqual([scheduled.id])
  await alice.v1.scheduledStatuses.$select(scheduled.id).remove()
  expect(await alice.v1.scheduledStatuses.list()).toEqual([])
})

test.runIf(isNight)('a featured tag, and what a status is redrafted from', async () => {
  await alice.v1.featuredTags.create({ name: 'craft' })
  const { id } = await alice.v1.statuses.create({ status: 'made #craft', spoilerText: 'careful' })
  expect(await alice.v1.featuredTags.list()).toMatchObject([{ name: 'craft', statusesCount: '1' }])
  expect(await alice.v1.statuses.$select(id).remove()).toMatchObject({
    text: 'made #craft',
    spoilerText: 'careful',
  })
})
