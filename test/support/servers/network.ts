// Several whole servers in this process, each with a database and an address of its own, which federate over HTTP.
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import type { Ctx } from '#ports/ctx.ts'
import { startApp, type TestApp, type TestAppOptions } from '#test/app/app.ts'
import { startPeer, type Peer, type PeerOptions } from '#test/peer/peer.ts'
import type { Client, Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'

type Named = Pick<Person, 'username'>

export interface NetworkServer extends TestApp {
  /** What comes after the name in handles: `127.0.1.1:4000`. */
  readonly domain: string
  /** The id of a person's actor. */
  uriOf(person: Named): string
  inboxOf(person: Named): string
  /** `alice1@127.0.1.1:4000`. */
  handleOf(person: Named): string
  /** The Account or Status that a person finds by a handle or an address, which may mean to fetch it; null: none. */
  find(person: Client, handleOrUri: string): Promise<Json>
  /** Runs all that waits on all servers of the network, and what follows from that. */
  settle(): Promise<void>
}

export interface Network {
  /** The server of that name, started when first asked for and kept for the tests of the file. */
  server(name?: string, options?: TestAppOptions): Promise<NetworkServer>
  /** A foreign server whose actors send to the first server, until the test ends. */
  peer(host?: string, options?: PeerOptions): Promise<Peer>
  settleAll(): Promise<void>
  /** Moves the clocks of all servers forward. Peers go by that of the server they know. */
  advance(milliseconds: number): Promise<void>
}

/** More rounds than any test needs: one is for what one server sends and others do about it. */
const maxRounds = 100

/** A network for a test file. `options` are those of every server in it. */
export function useNetwork(options: TestAppOptions = {}): Network {
  const apps = new Map<string, Promise<TestApp>>()
  afterAll(async () => {
    for (const app of apps.values()) await (await app).close()
  })
  const started = () => Promise.all(apps.values())
  const settleAll = async () => settleTogether(await started())

  async function server(name = 'first', more: TestAppOptions = {}): Promise<NetworkServer> {
    let app = apps.get(name)
    if (!app) {
      const host = `127.0.1.${apps.size + 1}`
      app = startApp({ host, ...options, ...more, env: { ...options.env, ...more.env } })
      apps.set(name, app)
    }
    return toNetworkServer(await app, settleAll)
  }
  return {
    server,
    settleAll,
    async advance(milliseconds) {
      for (const { clock } of await started()) clock.advance(milliseconds)
    },
    peer: async (host, more) => startPeer(host, { app: await server(), ...more }),
  }
}

function toNetworkServer(app: TestApp, settle: () => Promise<void>): NetworkServer {
  const domain = app.ctx.config.localDomain
  const uriOf = ({ username }: Named) => `${app.baseUrl}/users/${username}`
  return {
    ...app,
    // Asked for each time, as `app` does: tests hold this, and not the server.
    get ctx() {
      return app.ctx
    },
    settle,
    domain,
    uriOf,
    inboxOf: (person) => `${uriOf(person)}/inbox`,
    handleOf: ({ username }) => `${username}@${domain}`,
    async find(person, handleOrUri) {
      const q = /^https?:/.test(handleOrUri) ? handleOrUri : `@${handleOrUri}`
      const { accounts, statuses } = (await person.get('/api/v2/search', { q, resolve: true })).ok()
      return accounts[0] ?? statuses[0] ?? null
    },
  }
}

/** Runs all that waits on some servers, until none of them has anything to do. */
export async function settleTogether(apps: readonly TestApp[]): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) {
    let progressed = false
    for (const app of apps) progressed = (await settleOnce(app)) || progressed
    if (!progressed) return
  }
  throw new Error(`the servers have not come to rest after ${maxRounds} rounds`)
}

/** Runs what waits on one server. Returns whether anything came of it. */
async function settleOnce(app: TestApp): Promise<boolean> {
  const before = await waitingOn(app.ctx)
  if (before === '') return false
  await app.settle()
  return (await waitingOn(app.ctx)) !== before
}

/** All that is due now in the queues, as a text: events, jobs, what came in and what is to be delivered. */
async function waitingOn({ db, clock }: Ctx): Promise<string> {
  const now = new Date(clock.now())
  const { rows } = await sql<{ waiting: string }>`
    select coalesce(string_agg(kind || id || '/' || attempts, ' ' order by kind, id), '') as waiting from (
      select 'event ' as kind, id, attempts from outbox
        where failed_at is null and (claimed_until is null or claimed_until < ${now})
      union all select 'job ', id, attempts from graphile_worker.jobs
        where run_at <= now() and attempts < max_attempts and locked_at is null
      union all select 'incoming ', id, attempts from incoming_activities where due_at <= ${now}
      union all select 'delivery ', id, attempts from deliveries where due_at <= ${now}) queues`.execute(db)
  return rows[0]?.waiting ?? ''
}
