import { afterEach, expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { useStreamingApp } from '#test/app/streaming-app.ts'

const app = useStreamingApp()

afterEach(() => app.closeStreams())

test('feeds that settings have disabled are not streamed', async () => {
  const bob = await app.person('bob')
  const listener = await app.listen(bob.token, { stream: 'public:local' })
  const fenced = await app.listen(bob.token, { stream: 'user' })
  const tell = async (text: string) => (await bob.say(text)).id as string
  const open = await tell('open')
  await listener.next('update', ({ payload }) => payload.id === open)
  await setSetting(app.ctx, 'local_live_feed_access', 'disabled')
  const closed = await tell('closed')
  await fenced.next('update', ({ payload }) => payload.id === closed)
  await setSetting(app.ctx, 'local_live_feed_access', 'public')
  const again = await tell('open again')
  await listener.next('update', ({ payload }) => payload.id === again)
  expect(listener.heard.map(({ payload }) => payload.id)).toEqual([open, again])
})
