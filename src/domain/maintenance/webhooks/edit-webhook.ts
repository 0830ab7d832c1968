import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { hasPermission, type Permission } from '#domain/identity/accounts/permissions.ts'
import type { ActingStaff } from '#domain/identity/accounts/staff.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { readEnteredAddress } from '#domain/server/hosts/entered-address.ts'
import { invalid } from '#lib/errors.ts'
import { newSecret } from '#lib/secrets.ts'
import { getWebhook, webhookEvents, type WebhookEvent, type WebhookRow } from './queries.ts'
import type { WebhookId } from '#lib/id.ts'

/** What is left out stays. */
export interface WebhookInput {
  url?: string | undefined
  events?: readonly string[] | undefined
}

const maxWebhooks = 100

/** What staff must be allowed to see themselves to have it told to a webhook. */
const needed: Readonly<Record<string, Permission>> = {
  account: 'manage_users',
  report: 'manage_reports',
  status: 'view_devops',
}

/**
 * Has a URL told of events, with a secret of its own that signs what is sent. Throws `invalid` for an address that this
 * server does not send to, for a known one, and for events that there are not or whose objects staff may not see.
 */
export async function createWebhook(ctx: Ctx, staff: ActingStaff, input: WebhookInput): Promise<WebhookId> {
  const url = await readUrl(ctx, input.url ?? '')
  const events = readEvents(staff, input.events ?? [])
  return ctx.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('webhooks'))`.execute(tx.db)
    await assertRoom(tx)
    const id = tx.newId<WebhookId>()
    const now = new Date(tx.clock.now())
    const { rows } = await sql`
      insert into webhooks (id, url, events, secret, created_at, updated_at)
      values (${id}, ${url}, ${events}::text[], ${newSecret()}, ${now}, ${now})
      on conflict (url) do nothing returning id`.execute(tx.db)
    if (rows.length === 0) throw taken()
    await record(tx, staff, 'create', { id, url, events })
    return id
  })
}

/** Changes where a webhook is, and what it is told. Throws as `createWebhook`, and `not_found`. */
export async function updateWebhook(
  ctx: Ctx,
  staff: ActingStaff,
  id: WebhookId,
  input: WebhookInput,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const before = await getWebhook(tx, id, true)
    const url = input.url === undefined ? before.url : await readUrl(tx, input.url)
    const events = input.events === undefined ? before.events : readEvents(staff, input.events)
    // Whoever sends elsewhere what others asked for must be allowed to see it.
    if (url !== before.url) assertMaySee(staff, events)
    const { rows } = await sql`
      update webhooks set url = ${url}, events = ${events}::text[], updated_at = ${new Date(tx.clock.now())}
      where id = ${id} and not exists (select 1 from webhooks o where o.url = ${url} and o.id <> ${id})
      returning id`.execute(tx.db)
    if (rows.length === 0) throw taken()
    await record(tx, staff, 'update', { id, url, events })
  })
}

/** Has a webhook told of nothing, or again. Throws `not_found`. */
export async function setWebhookEnabled(
  ctx: Ctx,
  staff: ActingStaff,
  id: WebhookId,
  enabled: boolean,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const webhook = await getWebhook(tx, id, true)
    const now = new Date(tx.clock.now())
    await sql`update webhooks set enabled = ${enabled}, updated_at = ${now} where id = ${id}`.execute(tx.db)
    await record(tx, staff, enabled ? 'enable' : 'disable', webhook)
  })
}

/** Gives a webhook another secret: what is sent from now on is signed by it. Throws `not_found`. */
export async function rotateWebhookSecret(ctx: Ctx, staff: ActingStaff, id: WebhookId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const webhook = await getWebhook(tx, id, true)
    const now = new Date(tx.clock.now())
    await sql`update webhooks set secret = ${newSecret()}, updated_at = ${now} where id = ${id}`.execute(
      tx.db,
    )
    await record(tx, staff, 'rotate_secret', webhook)
  })
}

/** Throws `not_found`. */
export async function deleteWebhook(ctx: Ctx, staff: ActingStaff, id: WebhookId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const webhook = await getWebhook(tx, id, true)
    await sql`delete from webhooks where id = ${id}`.execute(tx.db)
    await record(tx, staff, 'destroy', webhook)
  })
}

async function assertRoom(tx: Tx): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from webhooks`.execute(tx.db)
  if ((rows[0]?.count ?? 0) >= maxWebhooks) throw invalid('base', 'too_many_webhooks')
}

const readUrl = async (reader: Reader, text: string) => (await readEnteredAddress(reader, 'url', text)).href

function readEvents(staff: ActingStaff, names: readonly string[]): WebhookEvent[] {
  const events = webhookEvents.filter((event) => names.includes(event))
  const unknown = names.find((name) => !events.some((event) => event === name))
  if (unknown !== undefined) throw invalid('events', 'no_such', { name: JSON.stringify(unknown) })
  if (events.length === 0) throw invalid('events', 'blank')
  assertMaySee(staff, events)
  return events
}

function assertMaySee(staff: ActingStaff, events: readonly WebhookEvent[]): void {
  if (typeof staff === 'string') return
  const hidden = events.find((event) => !hasPermission(staff, needed[event.split('.')[0]!] as Permission))
  if (hidden !== undefined) throw invalid('events', 'hidden_event', { name: hidden })
}

const taken = () => invalid('url', 'taken')

function record(
  tx: Tx,
  staff: ActingStaff,
  action: string,
  { id, url, events }: Pick<WebhookRow, 'id' | 'url' | 'events'>,
) {
  // Services put secrets into the path: the log names the server.
  const label = new URL(url).host
  return recordAction(tx, staff, { action, targetType: 'webhook', targetId: id, label, details: { events } })
}
