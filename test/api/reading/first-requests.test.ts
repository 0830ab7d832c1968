import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'

const app = useApp()

test('apps find the collections they ask for at their start, empty', async () => {
  const person = await app.person()
  const own = [
    'v1/featured_tags',
    'v1/lists',
    'v1/announcements',
    'v1/scheduled_statuses',
    'v1/conversations',
  ]
  const open = ['v1/trends', 'v1/trends/tags', 'v1/trends/statuses', 'v1/trends/links']
  for (const path of [...own, ...open]) {
    const answer = await person.get(`/api/${path}`)
    expect([path, answer.status, answer.body, answer.links]).toEqual([path, 200, [], {}])
  }
  for (const path of own) expect((await app.anonymous.get(`/api/${path}`)).status).toBe(401)
  for (const path of open) expect((await app.anonymous.get(`/api/${path}`)).ok()).toEqual([])
})

test('nobody has identity proofs', async () => {
  const person = await app.person()
  const path = (id: string) => `/api/v1/accounts/${id}/identity_proofs`
  expect((await person.get(path(person.accountId))).ok()).toEqual([])
  expect((await person.get(path('1'))).status).toBe(404)
  expect((await app.anonymous.get(path(person.accountId))).status).toBe(401)
})
