import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'

const app = useApp()

test('ACC-15: what shared caches keep names this server, whatever host the request was sent to', async () => {
  const alice = await app.person('alice')
  for (const name of ['One', 'Two']) (await alice.post('/api/v1/collections', { name })).ok()
  const path = `/api/v1/accounts/${alice.accountId}/collections?limit=1`
  const answer = await app.fetch(`http://evil.example${path}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('link')).toBe(`<https://chat.example${path}&offset=1>; rel="next"`)
})

test('CNT-20: signs piled on one character, or one endless address, are no way around the limits', async () => {
  const alice = await app.person('alice')
  const piled = `e${'\u0301'.repeat(100_000)}`
  const endless = `https://example.com/${'x'.repeat(100_000)}`
  const post = async (body: Json) => {
    const { status, body: answer } = await alice.post('/api/v1/statuses', body)
    return [status, answer.error]
  }
  const tooLong = [422, 'Validation failed: Text character limit of 500 exceeded']
  // What is piled up beyond what any script sets is left out.
  expect((await alice.say(piled)).content.length).toBeLessThan(20)
  expect(await post({ status: endless })).toEqual(tooLong)
  expect(await post({ status: 'x', spoiler_text: endless })).toEqual(tooLong)
  const { poll } = await alice.say('x', { poll: { options: [piled, 'b'], expires_in: 3600 } })
  expect(poll.options[0].title.length).toBeLessThan(10)
  const { id } = await alice.say('short')
  expect((await alice.put(`/api/v1/statuses/${id}`, { status: endless })).status).toBe(422)
  expect((await alice.say(`https://example.com/${'x'.repeat(5000)}`)).content).toContain('x'.repeat(4000))
})
