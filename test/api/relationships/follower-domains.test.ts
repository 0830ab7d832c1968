import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { personWithPassword, signedIn } from '#test/people/sign-in.ts'
import type { AccountId } from '#lib/id.ts'

const app = useApp()
const path = '/settings/followers'

async function followedBy(
  accountId: AccountId,
  followers: readonly { accountId: AccountId }[],
): Promise<void> {
  for (const follower of followers) {
    await sql`
      insert into follows (id, account_id, target_account_id)
      values (${app.ctx.newId()}, ${follower.accountId}, ${accountId})`.execute(app.ctx.db)
  }
}

test('followers of one server are removed and told, those of others stay, and nothing is blocked [3-18]', async () => {
  const alice = await personWithPassword(app, 'alice')
  const bob = await app.person('bob')
  const [one, two, other] = [
    await remoteAccount(app.ctx, 'near.example'),
    await remoteAccount(app.ctx, 'near.example'),
    await remoteAccount(app.ctx, 'far.example'),
  ]
  await followedBy(alice.accountId, [one, two, other])
  await bob.follow(alice)
  const browser = await signedIn(app, alice)
  const page = await browser.get(path)
  const form = page.forms.find((candidate) => candidate.fields['domain'] === 'near.example')
  expect([page.text.includes('2 followers'), page.text.includes('far.example')]).toEqual([true, true])
  expect((await browser.submit(form!)).status).toBe(303)
  const { rows } = await sql<{ event: { type: string; accountId: AccountId } }>`
    select event from outbox where event ->> 'type' = 'follow.rejected'`.execute(app.ctx.db)
  await app.settle()
  expect(rows.map(({ event }) => event.accountId).toSorted()).toEqual(
    [one.accountId, two.accountId].toSorted(),
  )
  const followers = (await alice.get(`/api/v1/accounts/${alice.accountId}/followers`)).ok()
  const left = followers.map((account: { id: string }) => account.id)
  expect(new Set(left)).toEqual(new Set([other.accountId, bob.accountId]))
  expect((await alice.get('/api/v1/domain_blocks')).ok()).toEqual([])
})

test('strangers are sent to sign in, and nobody removes another one’s followers', async () => {
  expect((await app.fetch(path)).headers.get('location')).toContain('/auth/sign_in')
  const [alice, eve] = [await personWithPassword(app, 'alice'), await personWithPassword(app, 'eve')]
  const follower = await remoteAccount(app.ctx, 'kept.example')
  await followedBy(alice.accountId, [follower])
  const browser = await signedIn(app, eve)
  const { fields } = (await browser.get('/settings/migration')).form('/settings/aliases')
  await browser.post(`${path}/remove`, { ...fields, domain: 'kept.example' })
  expect((await alice.get(`/api/v1/accounts/${alice.accountId}/followers`)).ok()).toHaveLength(1)
})
