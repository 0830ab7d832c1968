import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { claimDatabases } from './claimed-databases.ts'
import { admin } from './temporary-cluster.ts'

test('databases whose owner was killed are dropped by the next one, those of the living are not', async () => {
  const clusterUrl = inject('clusterUrl')
  const client = new pg.Client({ connectionString: clusterUrl })
  await client.connect()
  const left = async () => {
    const { rows } = await client.query('select datname from pg_database where datname = any ($1)', [names])
    return rows.map(({ datname }) => datname).toSorted()
  }
  const living = await claimDatabases(clusterUrl)
  const killed = `stonechat_test_${'0'.repeat(8)}`
  const ofLiving = [living.name, `${living.name}_2`]
  const names = [...ofLiving, killed, `${killed}_2`]
  await admin(clusterUrl, ...names.map((name) => `create database ${name}`))
  const next = await claimDatabases(clusterUrl)
  expect(await left()).toEqual(ofLiving)
  await living.release()
  await next.release()
  expect(await left()).toEqual([])
  await client.end()
})
