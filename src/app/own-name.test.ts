import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { checkDatabase } from './doctor/database.ts'
import { assertOwnName } from './own-name.ts'

const app = useApp()
const start = (localDomain: string) => assertOwnName(app.ctx, localDomain)

test('data is served under no other name than its own, once there are people with it [ROB-17]', async () => {
  await start('localhost:3000')
  await start('first.example')
  // Nobody has a handle yet.
  await start('second.example')
  await app.person('alice')
  await start('second.example')
  await expect(start('third.example')).rejects.toThrow(/LOCAL_DOMAIN=second\.example/)
  await expect(start('localhost:3000')).rejects.toThrow(/this data is of second\.example/)
  await start('second.example')
  const config = { ...app.ctx.config, localDomain: 'third.example' }
  expect(await checkDatabase({ ...app.ctx, config })).toMatchObject({
    state: 'problem',
    advice: 'set LOCAL_DOMAIN=second.example, or see docs/operators/domains.md',
  })
})

test('a trial on this machine may go on under its real name', async () => {
  await app.ctx.db.deleteFrom('secrets').where('name', '=', 'local_domain').execute()
  await start('localhost:3000')
  await app.person('bob')
  await start('chat.example')
  await expect(start('localhost:3000')).rejects.toThrow()
})
