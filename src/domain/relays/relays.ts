// Relays pass public statuses on between servers that do not know each other. There are two kinds: those whose inbox is
// given, which are followed by following the public collection, and those whose actor is given.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { AppError, invalid, notFound } from '#lib/errors.ts'
import { checkOutgoingUrl } from '#lib/outgoing-url.ts'
import { mayFederate } from '#domain/hosts/may-federate.ts'
import { followUri } from '#domain/instance/urls.ts'

export type RelayState = 'idle' | 'pending' | 'accepted' | 'rejected'

export interface RelayRow {
  id: Id
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
export async function addRelay(ctx: Ctx, url: string): Promise<RelayRow> {
  const checked = checkOutgoingUrl(ctx.config, url)
  if (!checked.url) throw invalid(`Validation failed: Inbox URL is not one to send to (${checked.problem})`)
  if (!(await mayFederate(ctx, checked.url.host)))
    throw invalid('Validation failed: This server does not speak with that of the relay')
  const inboxUrl = checked.url.href
  const actor = checked.url.pathname.endsWith('/inbox') ? null : await findRelayActor(ctx, inboxUrl)
  return ctx.transaction(async (tx) => {
    const id = tx.newId()
    const { rows } = await sql<RelayRow>`
      insert into relays (id, inbox_url, actor_uri, follow_uri, state, created_at)
      values (${id}, ${actor?.inboxUrl ?? inboxUrl}, ${actor?.uri ?? null}, ${followUri(tx.config, id)}, 'pending',
        ${new Date(tx.clock.now())})
      on conflict (inbox_url) do update set state = 'pending', actor_uri = excluded.actor_uri,
        follow_uri = excluded.follow_uri
      returning ${columns}`.execute(tx.db)
    const relay = rows[0] as RelayRow
    await tx.emit({ type: 'relay.wanted', relayId: relay.id })
    return relay
  })
}

async function findRelayActor(ctx: Ctx, url: string): Promise<{ uri: string; inboxUrl: string }> {
  const found = await ctx.remote.findByUrl(url)
  const { rows } = await sql<{ uri: string; inbox_url: string }>`
    select uri, inbox_url from accounts
    where id = ${found?.kind === 'account' ? found.id : null}::bigint and uri is not null and inbox_url is not null`.execute(
    ctx.db,
  )
  if (!rows[0]) throw new AppError('invalid', 'Validation failed: There is no relay at this address')
  return { uri: rows[0].uri, inboxUrl: rows[0].inbox_url }
}

/** Parts from a relay. Throws `not_found`. */
export async function removeRelay(ctx: Ctx, id: Id): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<RelayRow>`delete from relays where id = ${id} returning ${columns}`.execute(
      tx.db,
    )
    const gone = rows[0]
    if (!gone) throw notFound()
    await tx.emit({
      type: 'relay.dropped',
      relayId: id,
      inboxUrl: gone.inbox_url,
      actorUri: gone.actor_uri,
      followUri: gone.follow_uri,
    })
  })
}

export async function listRelays(reader: Reader): Promise<RelayRow[]> {
  const { rows } = await sql<RelayRow>`select ${columns} from relays order by id`.execute(reader.db)
  return rows
}

export async function findRelay(reader: Reader, id: Id): Promise<RelayRow | null> {
  const { rows } = await sql<RelayRow>`select ${columns} from relays where id = ${id}`.execute(reader.db)
  return rows[0] ?? null
}

/** The relays that have let this server in. */
export async function listAcceptedRelays(reader: Reader): Promise<RelayRow[]> {
  const { rows } = await sql<RelayRow>`
    select ${columns} from relays where state = 'accepted' order by id`.execute(reader.db)
  return rows
}

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
  }: { relayId: Id; followUri: string | null; state: 'accepted' | 'rejected' },
): Promise<boolean> {
  const { rows } = await sql`
    update relays set state = ${state}
    where id = ${relayId} and (${uri}::text is null or follow_uri = ${uri}) returning id`.execute(reader.db)
  return rows.length > 0
}
