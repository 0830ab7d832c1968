// Where a moved account went is shown as it is now, however long the moved one has stayed as it is.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'

const app = useApp()

test('where an account moved is shown as it is: renamed, with another number of posts, suspended', async () => {
  const [old, fresh] = [await app.person('old'), await app.person('fresh')]
  const admin = await app.person('admin', { role: 'Admin' })
  await sql`
    update accounts set moved_to_account_id = ${fresh.accountId}, version = version + 1
    where id = ${old.accountId}`.execute(app.ctx.db)
  const path = `/api/v1/accounts/${old.accountId}`
  const moved = async () => (await app.anonymous.get(path)).ok().moved
  expect(await moved()).toMatchObject({ id: fresh.accountId, display_name: '', statuses_count: 0 })

  await fresh.say('here I am')
  ;(await fresh.patch('/api/v1/accounts/update_credentials', { display_name: 'Fresh' })).ok()
  expect(await moved()).toMatchObject({ display_name: 'Fresh', statuses_count: 1 })

  const action = { type: 'suspend' }
  ;(await admin.post(`/api/v1/admin/accounts/${fresh.accountId}/action`, action)).ok()
  expect(await moved()).toMatchObject({ suspended: true, display_name: '' })
})
