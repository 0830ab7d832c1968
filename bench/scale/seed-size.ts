// A server of one size, made once. Nothing of it is checked while it is made, and the indexes that only make reading fast are
// made at the end, each in one go: so ten times as many posts take ten times as long.
import type pg from 'pg'
import { withClient } from '../kit/database.ts'
import { insertThread } from '../kit/seed.ts'
import { largeParent } from '../kit/seed-wholes.ts'
import { seedPosts, seedStar } from './seed-copies.ts'
import { countPeople, seedFeeds, seedPeople } from './seed-people.ts'
import { epochAt, latest, localAt, singlesOf, type Epoch, type Grown, type Size } from './size.ts'
import { createTemplate } from './template.ts'
import { timeToId } from '#lib/ids.ts'

const day = 86_400_000

/** Fills an empty, migrated database. `tell` hears of each part when it is done. */
export const seedSize = (url: string, size: Size, tell: (what: string) => void): Promise<Grown> =>
  withClient(url, (client) => write(client, size, tell))

async function write(client: pg.Client, size: Size, tell: (what: string) => void): Promise<Grown> {
  const epoch = epochAt(Date.now())
  const begun = performance.now()
  const step = async <T>(name: string, work: Promise<T>): Promise<T> => {
    const done = await work
    tell(`${name} after ${((performance.now() - begun) / 1000).toFixed(0)} s`)
    return done
  }
  await client.query(
    "set session_replication_role = replica; set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '256MB'",
  )
  const indexes = await dropIndexes(client)
  await step('people', seedPeople(client, epoch, size))
  await step('template', createTemplate(client, epoch))
  await step('posts', seedPosts(client, epoch, size))
  await seedStar({ client, epoch, size })
  const repliers = Array.from({ length: 90 }, (_, i) => localAt(epoch, i))
  const thread = await insertThread(client, repliers, epoch.now - latest, size.thread + 1, largeParent)
  await step('counters', countPeople(client, epoch))
  await step('feeds', seedFeeds(client, epoch, size))
  await step('indexes', createIndexes(client, indexes))
  const words = await chooseWords(client)
  await client.query('drop schema bench cascade')
  await step('vacuum', client.query('vacuum analyze'))
  return {
    size,
    epoch,
    singles: singlesOf(epoch, size),
    thread: thread[0] as string,
    words,
    publicIds: await newestPublic(client),
    middle: await findMiddles(client, epoch, size),
  }
}

/** All that nothing is unique by: the statements that make them again. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; made: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made
    from pg_index join pg_class c on c.oid = indrelid
    where not indisunique and not indisexclusion and c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    order by c.relname, 1`)
  await client.query(`drop index ${rows.map(({ name }) => name).join()}`)
  return rows.map(({ made }) => made)
}

async function createIndexes(client: pg.Client, indexes: string[]): Promise<void> {
  for (const index of indexes) await client.query(index)
}

/** Words of the sentences that copies end in. */
async function chooseWords(client: pg.Client): Promise<Grown['words']> {
  const { rows } = await client.query<{ word: string; n: number }>(`
    select word, ndoc as n from ts_stat('select document from bench.sentences') where word like 'w%' order by ndoc desc, word`)
  const some = (from: number, to: number) =>
    rows.flatMap(({ word, n }) => (n >= from && n <= to ? [word] : [])).slice(0, 100)
  return { rare: some(1, 1), middling: some(50, 100), common: some(5_000, 50_000) }
}

async function newestPublic(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(`
    select id from statuses where visibility = 'public' and reblog_of_id is null and local order by id desc limit 1000`)
  return rows.map((row) => row.id)
}

async function findMiddles(client: pg.Client, epoch: Epoch, size: Size): Promise<Grown['middle']> {
  const { star, notified } = singlesOf(epoch, size)
  const middleOf = async (table: string, column: string, id: string) => {
    const { rows } = await client.query<{ id: string }>(
      `select percentile_disc(0.5) within group (order by id)::text as id from ${table} where ${column} = $1`,
      [id],
    )
    return rows[0]?.id ?? '0'
  }
  const { rows } = await client.query<{ oldest: string }>('select min(id)::text as oldest from statuses')
  const oldest = Number(BigInt(rows[0]?.oldest ?? 0) >> 16n)
  return {
    status: timeToId(Math.max(oldest + day, (oldest + epoch.now) / 2)),
    follower: await middleOf('follows', 'target_account_id', star.id),
    notification: await middleOf('notifications', 'account_id', notified.id),
  }
}
