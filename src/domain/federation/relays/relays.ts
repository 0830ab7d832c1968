// Relays pass public statuses on between servers that do not know each other. There are two kinds: those whose inbox is
// given, which are followed by following the public collection, and those whose actor is given.
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { readEnteredAddress } from '#domain/server/hosts/entered-address.ts'
import { mayFederate } from '#domain/server/hosts/may-federate.ts'
import { followUri } from '#domain/server/instance/urls.ts'
import type { RelayId } from '#lib/id.ts'

export type RelayState = 'idle' | 'pending' | 'accepted' | 'rejected'

export interface RelayRow {
  id: RelayId
  inbox_url: string
  /** null: of the kind whose inbox alone is known. */
  actor_uri: string | null
  follow_uri: string | null
  state: RelayState
}

const columns = sql`id, inbox_url, actor_uri, follow_uri, state`

/**
 * Asks a relay to pass on what is public here, and to send what others made public. `url` is that of its inbox, which
 * ends in `/inbox`, or of its actor. Again asks again. Throws `invalid` for what cannot be a relay.
 */
export async function addRelay(ctx: Ctx, staff: Staff, url: string): Promise<RelayRow> {
  const address = await readEnteredAddress(ctx, 'relay_inbox', url)
  if (!(await mayFederate(ctx, address.host))) throw invalid('base', 'relay_defederated')
  const inboxUrl = address.href
  const actor = address.pathname.endsWith('/inbox') ? null : await findRelayActor(ctx, inboxUrl)
  return ctx.transaction(async (tx) => {
    const id = tx.newId<RelayId>()
    const { rows } = await sql<RelayRow>`
      insert into relays (id, inbox_url, actor_uri, follow_uri, state, created_at)
      values (${id}, ${actor?.inboxUrl ?? inboxUrl}, ${actor?.uri ?? null}, ${followUri(tx.config, id)}, 'pending',
        ${new Date(tx.clock.now())})
      on conflict (inbox_url) do update set state = 'pending', actor_uri = excluded.actor_uri,
        follow_uri = excluded.follow_uri
      returning ${columns}`.execute(tx.db)
    const relay = rows[0] as RelayRow
    await record(tx, staff, 'create', relay)
    await tx.emit({ type: 'relay.requested', relayId: relay.id })
    return relay
  })
}

/** Asks a relay again that was left or said no. Throws `not_found`. */
export async function enableRelay(ctx: Ctx, staff: Staff, id: RelayId): Promise<RelayRow> {
  return ctx.transaction(async (tx) => {
    const { state } = await lockRelay(tx, id)
    const isAsked = state === 'pending' || state === 'accepted'
    const { rows } = await sql<RelayRow>`
      update relays set state = ${isAsked ? state : 'pending'}, follow_uri = ${followUri(tx.config, id)}
      where id = ${id} returning ${columns}`.execute(tx.db)
    const relay = rows[0] as RelayRow
    await record(tx, staff, 'enable', relay)
    if (!isAsked) await tx.emit({ type: 'relay.requested', relayId: id })
    return relay
  })
}

/** Parts from a relay and keeps it, to be asked again. Throws `not_found`. */
export async function disableRelay(ctx: Ctx, staff: Staff, id: RelayId): Promise<RelayRow> {
  return ctx.transaction(async (tx) => {
    const before = await lockRelay(tx, id)
    const { rows } = await sql<RelayRow>`
      update relays set state = 'idle' where id = ${id} returning ${columns}`.execute(tx.db)
    await record(tx, staff, 'disable', before)
    if (before.state !== 'idle') await tx.emit(droppedEvent(before))
    return rows[0] as RelayRow
  })
}

async function lockRelay(tx: Tx, id: RelayId): Promise<RelayRow> {
  const { rows } = await sql<RelayRow>`select ${columns} from relays where id = ${id} for update`.execute(
    tx.db,
  )
  if (!rows[0]) throw notFound()
  return rows[0]
}

const droppedEvent = (relay: RelayRow) =>
  ({
    type: 'relay.dropped',
    relayId: relay.id,
    inboxUrl: relay.inbox_url,
    actorUri: relay.actor_uri,
    followUri: relay.follow_uri,
  }) as const

const record = (tx: Tx, staff: Staff, action: string, { id, inbox_url: label }: RelayRow) =>
  recordAction(tx, staff, { action, targetType: 'relay', targetId: id, label })

async function findRelayActor(ctx: Ctx, url: string): Promise<{ uri: string; inboxUrl: string }> {
  const found = await ctx.remote.findByUrl(url)
  const { rows } = await sql<{ uri: string; inbox_url: string }>`
    select uri, inbox_url from accounts
    where id = ${found?.kind === 'account' ? found.id : null}::bigint and uri is not null and inbox_url is not null`.execute(
    ctx.db,
  )
  if (!rows[0]) throw invalid('base', 'no_relay')
  return { uri: rows[0].uri, inboxUrl: rows[0].inbox_url }
}

/** Parts from a relay and forgets it. Throws `not_found`. */
export async function removeRelay(ctx: Ctx, staff: Staff, id: RelayId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<RelayRow>`delete from relays where id = ${id} returning ${columns}`.execute(
      tx.db,
    )
    const gone = rows[0]
    if (!gone) throw notFound()
    await record(tx, staff, 'destroy', gone)
    if (gone.state !== 'idle') await tx.emit(droppedEvent(gone))
  })
}

export async function listRelays(reader: Reader): Promise<RelayRow[]> {
  const { rows } = await sql<RelayRow>`select ${columns} from relays order by id`.execute(reader.db)
  return rows
}

export async function findRelay(reader: Reader, id: RelayId): Promise<RelayRow | null> {
  const { rows } = await sql<RelayRow>`select ${columns} from relays where id = ${id}`.execute(reader.db)
  return rows[0] ?? null
}

/** Throws `not_found`. */
export async function getRelay(reader: Reader, id: RelayId): Promise<RelayRow> {
  const found = await findRelay(reader, id)
  if (!found) throw notFound()
  return found
}

const loadAccepted = createBatchLoader<Reader, null, RelayRow[]>({
  max: 50,
  failsTogether: true,
  async run(reader, questions) {
    const { rows } = await sql<RelayRow>`
      select ${columns} from relays where state = 'accepted' order by id`.execute(reader.db)
    return questions.map(() => rows)
  },
})

/** The relays that have let this server in. Who asks at the same time is told by one query. */
export const listAcceptedRelays = (reader: Reader): Promise<RelayRow[]> => loadAccepted(reader, null)

/**
 * The relay on whose behalf an actor speaks: it is that actor, or its inbox is on the actor's server. `host` has a
 * port where it is not the default one.
 */
export async function findRelayOf(
  reader: Reader,
  actor: { uri: string; host: string },
): Promise<RelayRow | null> {
  const { rows } = await sql<RelayRow>`
    select ${columns} from relays
    where actor_uri = ${actor.uri}
      or (actor_uri is null and lower(split_part(split_part(inbox_url, '://', 2), '/', 1)) = ${actor.host})
    order by actor_uri nulls last limit 1`.execute(reader.db)
  return rows[0] ?? null
}

/** Takes down a relay's answer to the request with this id; false when nobody waits for it. */
export async function answerRelay(
  reader: Reader,
  {
    relayId,
    followUri: uri,
    state,
  }: { relayId: RelayId; followUri: string | null; state: 'accepted' | 'rejected' },
): Promise<boolean> {
  const { rows } = await sql`
    update relays set state = ${state}
    where id = ${relayId} and state <> 'idle' and (${uri}::text is null or follow_uri = ${uri})
    returning id`.execute(reader.db)
  return rows.length > 0
}
