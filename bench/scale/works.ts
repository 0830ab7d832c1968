// The pieces of work that are large on a large server.
import http from 'node:http'
import type pg from 'pg'
import { arrivalOf } from '../kit/delivery-load.ts'
import { countOf, settled } from '../kit/database.ts'
import { shoot, type Shot } from '../kit/load.ts'
import { token } from '../kit/seed.ts'
import type { Single } from './size.ts'
import { measureWork, runJob, type Work, type Worker } from './work.ts'
import { crontab } from '#worker/schedule.ts'

/** How long an end is waited for, in milliseconds: that of one who wrote a million posts takes an hour. */
const endsWithin = 120_000
/** How often the star posts. */
const rounds = 3

async function send(worker: Worker, who: Single, shot: Omit<Shot, 'token'>): Promise<{ id: string }> {
  const agent = new http.Agent()
  const bearer = token(worker.grown.singles[who].index)
  const answer = await shoot(worker.server.base, agent, { ...shot, token: bearer })
  if (answer.status >= 400) throw new Error(`${shot.path} answered ${answer.status}: ${answer.text}`)
  return JSON.parse(answer.text) as { id: string }
}

const say = (worker: Worker, who: Single): Promise<{ id: string }> =>
  send(worker, who, {
    method: 'POST',
    path: '/api/v1/statuses',
    body: { status: `To all of you, at ${Date.now()}` },
  })

const isSettled = ({ server }: Worker): Promise<void> => settled(server.databaseUrl)

/** Posts to all people here, their deletion, and a post to all other servers. */
export async function workOnStars(worker: Worker, client: pg.Client): Promise<Work[]> {
  const found: Work[] = []
  const ids: string[] = []
  for (let round = 1; round <= rounds; round++) {
    found.push(
      await measureWork(worker, `post to all ${worker.grown.size.people} people, ${round}`, async () => {
        const { id } = await say(worker, 'star')
        await isSettled(worker)
        ids.push(id)
        return `${await countOf(client, `home_entries where status_id = ${id}`)} entries`
      }),
    )
  }
  found.push(
    await measureWork(worker, 'deletion of such a post', async () => {
      await send(worker, 'star', { method: 'DELETE', path: `/api/v1/statuses/${ids[0]}` })
      await isSettled(worker)
      return `${await countOf(client, `home_entries where status_id = ${ids[0]}`)} entries left`
    }),
    await workOnDeliveries(worker, client),
  )
  return found
}

async function workOnDeliveries(worker: Worker, client: pg.Client): Promise<Work> {
  const { id } = worker.grown.singles.remoteStar
  const hosts = await countOf(
    client,
    `(select distinct a.uri_host from follows f join accounts a on a.id = f.account_id
      where f.target_account_id = ${id} and a.domain is not null) h`,
  )
  await worker.inboxes.forget()
  return measureWork(worker, `post to followers on ${hosts} servers`, async () => {
    await say(worker, 'remoteStar')
    const { p50, max } = await arrivalOf(worker.inboxes, hosts)
    await isSettled(worker)
    return `half of them have it after ${(p50 / 1000).toFixed(1)} s, all after ${(max / 1000).toFixed(1)} s`
  })
}

/** All that the timetable begins, each alone. Nobody's mail is sent. */
export async function workOnJobs(worker: Worker, client: pg.Client): Promise<Work[]> {
  const names = crontab
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[5] as string)
  const found: Work[] = []
  for (const name of names.filter((job) => !/upkeep|digests/.test(job)))
    found.push(await measureWork(worker, name, () => runJob(client, name)))
  return found
}

/** A feed that was forgotten while its owner was away. */
export const workOnRebuild = (worker: Worker, client: pg.Client): Promise<Work> =>
  measureWork(worker, 'home feeds of 20 who were away', async () => {
    await client.query(
      `delete from home_feeds where account_id in (select id from (
         select account_id as id from users order by account_id limit 120) u order by id desc limit 20)`,
    )
    const agent = new http.Agent({ keepAlive: true })
    for (let index = 100; index < 120; index++) {
      const bearer = token(index % worker.grown.size.people)
      await shoot(worker.server.base, agent, { path: '/api/v1/timelines/home?limit=20', token: bearer })
    }
    agent.destroy()
  })

/** What is done at the very end, because it is not there afterwards. */
export async function workOnEnds(worker: Worker, client: pg.Client): Promise<Work[]> {
  const { singles } = worker.grown
  const clear = await measureWork(worker, 'clearing very many notifications', async () => {
    const before = await countOf(client, `notifications where account_id = ${singles.notified.id}`)
    await send(worker, 'notified', { method: 'POST', path: '/api/v1/notifications/clear' })
    return `${before} notifications`
  })
  return [
    clear,
    await workOnAct(worker, 'suspend', 'star'),
    await workOnEnd(worker, 'star', (id) => countOf(client, `follows where target_account_id = ${id}`)),
    await workOnAct(worker, 'suspend', 'prolific'),
    await workOnEnd(worker, 'prolific', (id) =>
      countOf(client, `statuses where account_id = ${id} and deleted_at is null`),
    ),
  ]
}

const administrate = (worker: Worker, who: Single, shot: Pick<Shot, 'method' | 'body'>, path = '') =>
  send(worker, 'admin', { ...shot, path: `/api/v1/admin/accounts/${worker.grown.singles[who].id}${path}` })

const workOnAct = (worker: Worker, type: string, who: Single): Promise<Work> =>
  measureWork(worker, `${type} the account: ${who}`, async () => {
    await administrate(worker, who, { method: 'POST', body: { type } }, '/action')
    await settledWithin(worker, endsWithin)
  })

/** Deletes an account, and tells how much of what it has most of went. */
const workOnEnd = (worker: Worker, who: Single, left: (id: string) => Promise<number>): Promise<Work> =>
  measureWork(worker, `deletion of the account: ${who}`, async () => {
    const { id } = worker.grown.singles[who]
    const before = await left(id)
    await administrate(worker, who, { method: 'DELETE' })
    await settledWithin(worker, endsWithin)
    return `${before - (await left(id))} of ${before}`
  })

/** What takes longer goes on while the next is measured. */
async function settledWithin(worker: Worker, milliseconds: number): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, milliseconds).unref())
  await Promise.race([isSettled(worker), late])
}
