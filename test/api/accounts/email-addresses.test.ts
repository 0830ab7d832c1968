// E-mail addresses that a relay, a header or an envelope could take for another one: nobody has one.
import { beforeAll, describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { makeSignUpApp, registration } from '#test/people/registration.ts'
import { newBrowser, personWithPassword } from '#test/people/sign-in.ts'

const app = useApp()
// Somebody runs the server: without any account it is not set up, and nobody can sign up.
beforeAll(() => app.person('host'))

const refused = [
  'alice%other.example@example.org',
  '"alice"@example.org',
  'alice"@example.org',
  'alice,bob@example.org',
  'alice@example.org,bob@example.org',
  'other.example!alice@example.org',
  'alice(x)@example.org',
  '@relay.example:alice@example.org',
  'al ice@example.org',
  'alice@example.org\r\nBcc: bob@example.org',
]

describe.each(refused)('%j', (email) => {
  test('cannot sign up', async () => {
    const through = await makeSignUpApp(app)
    const answer = await through.post('/api/v1/accounts', registration({ email }))
    expect(answer.status).toBe(422)
    expect(answer.body.details.email).toContainEqual({ error: 'ERR_INVALID', description: 'is invalid' })
  })

  test('is no contact of the server', async () => {
    const owner = await app.person('owner', { role: 'Owner' })
    const answer = await owner.patch('/api/v1/admin/settings', { site_contact_email: email })
    expect(answer.status).toBe(422)
  })
})

test('who has such an address from before still gets a new password', async () => {
  const alice = await personWithPassword(app, 'alice')
  const old = `${alice.username}%old@example.org`
  await app.ctx.db.updateTable('users').set({ email: old }).where('id', '=', alice.userId).execute()
  const browser = newBrowser(app)
  const page = await browser.get('/auth/password/new')
  await browser.submit(page.form('/auth/password'), { email: old })
  await app.settle()
  expect(app.mails.map(({ to }) => to)).toContain(old)
})
