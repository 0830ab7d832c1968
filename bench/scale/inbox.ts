// What other servers send at a pace that is not asked about: how it is answered, what becomes of it, and how long that takes.
import http from 'node:http'
import type pg from 'pg'
import { countOf, keepLooking, settled, withClient } from '../kit/database.ts'
import { quantile } from '../kit/load.ts'
import { createNote, sendAll, sendOne, signPost, startPeer, type Peer, type SignedPost } from '../kit/peer.ts'
import { memoryOf } from '../kit/processes.ts'
import type { BenchServer } from '../kit/server.ts'
import { localSql, type Grown } from './size.ts'

/** Of each server that sends. */
const actors = 20
/** People here who follow each of them. */
const followersEach = 10
const looksEvery = 500

export interface Flood {
  name: string
  servers: number
  perSecond: number
  seconds: number
}

export const floods: readonly Flood[] = [
  { name: 'twenty servers', servers: 20, perSecond: 1_000, seconds: 15 },
  { name: 'one server', servers: 1, perSecond: 2_000, seconds: 12 },
]

export interface Flooded {
  name: string
  /** How often each status was answered. */
  answers: Record<string, number>
  /** What was really sent a second. */
  sent: number
  p50: number
  p99: number
  /** Most that waited at once. */
  waiting: number
  /** Dealt with a second, from the first to the last. */
  done: number
  /** Of those that were taken, how many are there in the end. */
  stored: number
  /** Megabytes of all processes: before, at most and afterwards. */
  memory: [number, number, number]
}

/** Creates from servers whose people are known and followed here. */
export async function measureFlood(server: BenchServer, grown: Grown, flood: Flood): Promise<Flooded> {
  const peers: Peer[] = []
  for (let n = 1; n <= flood.servers; n++) peers.push(await startPeer(`127.0.2.${n}`, actors))
  try {
    return await withClient(server.databaseUrl, async (client) => {
      const posts = (from: number, count: number) => notesOf(server, peers, from, count)
      await sendAll(server.base, posts(0, actors * peers.length), 10)
      await settled(server.databaseUrl)
      await follow(client, grown, peers)
      await sendAll(server.base, posts(actors * peers.length, 200), 10)
      await settled(server.databaseUrl)
      return await send(server, client, { flood, posts: posts(100_000, flood.perSecond * flood.seconds) })
    })
  } finally {
    await Promise.all(peers.map((peer) => peer.close()))
  }
}

function notesOf(server: BenchServer, peers: readonly Peer[], from: number, count: number): SignedPost[] {
  const base = server.base.replace('127.0.0.1', 'localhost')
  return Array.from({ length: count }, (_, index) => {
    const peer = peers[index % peers.length] as Peer
    const actor = peer.actors[Math.floor(index / peers.length) % actors] as Peer['actors'][number]
    return signPost(actor, `${base}/inbox`, createNote(actor, from + index))
  })
}

const hostsOf = (peers: readonly Peer[]): string[] => peers.map((peer) => new URL(peer.base).host)

async function follow(client: pg.Client, { epoch, size }: Grown, peers: readonly Peer[]): Promise<void> {
  await client.query(
    `insert into follows (id, account_id, target_account_id)
     select (extract(epoch from now())::bigint * 1000 << 16) + row_number() over (), ${localSql(epoch, 'n')}, a.id
     from (select id, row_number() over (order by id) as place from accounts where uri_host = any($1)) a
     cross join lateral (select (a.place * 7 + k) % ${size.people} as n from generate_series(1, ${followersEach}) k) f`,
    [hostsOf(peers)],
  )
}

async function send(
  server: BenchServer,
  client: pg.Client,
  { flood, posts }: { flood: Flood; posts: readonly SignedPost[] },
): Promise<Flooded> {
  const stored = () => countOf(client, 'statuses where not local')
  const [before, memory] = [await stored(), memoryOf(server.pids)]
  const most = { waiting: 0, memory: 0 }
  const looking = keepLooking(server.databaseUrl, looksEvery, async (other) => {
    most.waiting = Math.max(most.waiting, await countOf(other, 'incoming_activities'))
    most.memory = Math.max(most.memory, memoryOf(server.pids))
  })
  const begun = performance.now()
  const { answers, times } = await keepSending(server.base, posts, flood.perSecond)
  const sentIn = (performance.now() - begun) / 1000
  await settled(server.databaseUrl)
  const doneIn = (performance.now() - begun) / 1000
  await looking.stop()
  const taken = answers['202'] ?? 0
  return {
    name: flood.name,
    answers,
    sent: Math.round(posts.length / sentIn),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    waiting: most.waiting,
    done: Math.round(taken / doneIn),
    stored: (await stored()) - before,
    memory: [memory, most.memory, memoryOf(server.pids)],
  }
}

/** At the pace, as far as 64 connections take it: whoever sends more waits for one. */
async function keepSending(base: string, posts: readonly SignedPost[], perSecond: number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  const answers: Record<string, number> = {}
  const times: number[] = []
  const begun = performance.now()
  const one = async (from: number) => {
    for (let index = from; index < posts.length; index += 64) {
      const early = begun + (index * 1000) / perSecond - performance.now()
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
      const asked = performance.now()
      const status = await sendOne(base, agent, posts[index] as SignedPost)
      times.push(performance.now() - asked)
      answers[status] = (answers[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 64 }, (_, from) => one(from)))
  agent.destroy()
  return { answers, times }
}
