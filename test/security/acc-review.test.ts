import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'

const app = useApp()

test('what shared caches keep names this server, whatever host the request was sent to [ACC-15]', async () => {
  const alice = await app.person('alice')
  for (const name of ['One', 'Two']) (await alice.post('/api/v1/collections', { name })).ok()
  const path = `/api/v1/accounts/${alice.accountId}/collections?limit=1`
  const answer = await app.fetch(`http://evil.example${path}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('link')).toBe(`<https://chat.example${path}&offset=1>; rel="next"`)
})

test('signs piled on one character, or one endless address, are no way around the limits [CNT-20]', async () => {
  const alice = await app.person('alice')
  const piled = `e${'\u0301'.repeat(100_000)}`
  const endless = `https://example.com/${'x'.repeat(100_000)}`
  const post = async (body: Json) => {
    const { status, body: answer } = await alice.post('/api/v1/statuses', body)
    return [status, answer.error]
  }
  const tooLong = [422, 'Validation failed: Text character limit of 500 exceeded']
  expect(await post({ status: piled })).toEqual(tooLong)
  expect(await post({ status: 'x', spoiler_text: piled })).toEqual(tooLong)
  expect(await post({ status: endless })).toEqual(tooLong)
  expect(await post({ status: 'x', spoiler_text: endless })).toEqual(tooLong)
  expect(await post({ status: 'x', poll: { options: [piled, 'b'], expires_in: 3600 } })).toEqual([
    422,
    'Validation failed: Poll options cannot be longer than 50 characters each',
  ])
  const profiles = [
    { display_name: piled },
    { note: piled },
    { avatar_description: piled },
    { fields_attributes: [{ name: 'a', value: piled }] },
  ]
  for (const profile of profiles)
    expect((await alice.patch('/api/v1/accounts/update_credentials', profile)).status).toBe(422)
  const { id } = await alice.say('short')
  for (const status of [piled, endless])
    expect((await alice.put(`/api/v1/statuses/${id}`, { status })).status).toBe(422)
  expect((await alice.say(`https://example.com/${'x'.repeat(5000)}`)).content).toContain('x'.repeat(4000))
})
