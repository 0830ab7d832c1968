import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { urlOf } from '#test/run/temporary-cluster.ts'
import { describeFailure } from './describe-failure.ts'

test('a database that cannot be used is told with what to do', async () => {
  const client = new pg.Client({ connectionString: urlOf(inject('clusterUrl'), 'nowhere_at_all') })
  const told = await client.connect().then(() => 'connected', describeFailure)
  expect(told).toBe(
    'database "nowhere_at_all" does not exist: make it (createdb), or correct its name in DATABASE_URL',
  )
  const stranger = Object.assign(new Error('password authentication failed for user "sc"'), { code: '28P01' })
  expect(describeFailure(stranger)).toMatch(
    /^The database refuses the login \(.*\): see that user and password/,
  )
  const unforeseen = Object.assign(new Error('column "x" does not exist'), { code: '42703' })
  expect(describeFailure(unforeseen)).toBe('column "x" does not exist')
})
