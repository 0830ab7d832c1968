// Events that concern one person: notifications, conversations, markers and the like.
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { listMarkers } from '#domain/reading/notifications/markers.ts'
import { getNotification } from '#domain/reading/notifications/queries.ts'
import { findViewer } from '#domain/identity/oauth/find-viewer.ts'
import { groupBy } from '#lib/collections.ts'
import { isAppError } from '#lib/errors.ts'
import { toJsonText } from '#lib/json/json-text.ts'
import type { PersonMessage } from '#lib/stream-channels.ts'
import { viewDraft } from '#views/content/drafts.ts'
import { viewConversation } from '#views/reading/conversations.ts'
import { renderMarkers } from '#views/reading/markers.ts'
import { viewNotification } from '#views/reading/notifications.ts'
import { renderStatusForMany } from '#views/content/streamed-statuses.ts'
import { send } from './connection.ts'
import type { Hub } from './hub.ts'
import { createOutgoing } from './outgoing.ts'
import { mayHearNotifications, type TopicKind } from './streams.ts'
import type { AccountId } from '#lib/id.ts'

export interface PersonalItem {
  accountId: AccountId
  message: PersonMessage
}

/** An event and on which streams it is told. */
interface Told {
  event: string
  payload: string | null
  on: readonly TopicKind[]
  /** Only with a scope for notifications. */
  notification: boolean
}

/** What several people are told at the same time; one person's events keep their order. */
export async function deliverPersonal(ctx: Ctx, hub: Hub, items: readonly PersonalItem[]): Promise<void> {
  const people = groupBy(items, (item) => item.accountId)
  const runs = [...people].map(async ([accountId, own]) => {
    for (const { message } of own) await deliverOne(ctx, hub, accountId, message)
  })
  // All of them are waited for: what comes next for the same person must not overtake.
  const failed = (await Promise.allSettled(runs)).find((run) => run.status === 'rejected')
  if (failed) throw failed.reason
}

async function deliverOne(ctx: Ctx, hub: Hub, accountId: AccountId, message: PersonMessage): Promise<void> {
  const on = streamsOf(message)
  if (!on.some((kind) => hub.topics.has(`${kind}:${accountId}`))) return
  const told = await tell(ctx, accountId, message, on)
  if (!told) return
  const outgoing = createOutgoing(told.event, told.payload)
  for (const kind of on) {
    for (const [connection, label] of hub.topics.get(`${kind}:${accountId}`)?.followers ?? []) {
      if (told.notification && !mayHearNotifications(connection.scopes)) continue
      send(connection, outgoing, label)
    }
  }
}

function streamsOf(message: PersonMessage): readonly TopicKind[] {
  if (message.event === 'notification' || message.event === 'notifications_merged') {
    return ['user', 'user:notification']
  }
  if (message.event === 'conversation') return ['direct']
  if (message.event !== 'status.update') return ['user']
  return message.home ? ['user:notification'] : ['user', 'user:notification']
}

async function tell(
  ctx: Ctx,
  accountId: AccountId,
  message: PersonMessage,
  on: readonly TopicKind[],
): Promise<Told | null> {
  const { event } = message
  const plain = { event, on, notification: false }
  if (event === 'filters_changed' || event === 'columns_changed') return { ...plain, payload: null }
  // Clients look at the event alone; servers before this one sent a 1.
  if (event === 'notifications_merged') return { ...plain, payload: '1', notification: true }
  if (event === 'delete') return { ...plain, payload: message.id, notification: true }
  if (event === 'draft.delete') return { ...plain, payload: message.id }
  if (event === 'marker') {
    const markers = renderMarkers(await listMarkers(ctx, accountId, [message.timeline]))
    return { ...plain, payload: JSON.stringify(markers) }
  }
  if (event === 'status.update') {
    const text = (await renderStatusForMany(ctx, [accountId], message.id, 'home')).get(accountId)
    return text === undefined ? null : { ...plain, payload: text, notification: true }
  }
  if (event !== 'notification' && event !== 'conversation' && event !== 'draft') return null
  const viewer = await findViewer(ctx, accountId)
  if (!viewer || viewer.refusal) return null
  const view = await viewOne(ctx, viewer, message)
  return view && { ...plain, payload: toJsonText(view), notification: event === 'notification' }
}

/** Null when it is gone, or hidden, by the time it would be told. */
async function viewOne(
  ctx: Ctx,
  viewer: Viewer,
  message: Extract<PersonMessage, { event: 'notification' | 'conversation' | 'draft' }>,
): Promise<object | null> {
  try {
    if (message.event === 'conversation') {
      // That its last post names the viewer may not have come to this process yet.
      ctx.changes.hear([`deeds ${viewer.accountId}`])
      return await viewConversation(ctx, viewer, message.id)
    }
    if (message.event === 'draft') return await viewDraft(ctx, viewer.accountId, message.id)
    const row = await getNotification(ctx, viewer, message.id)
    return row.filtered ? null : await viewNotification(ctx, viewer, row)
  } catch (error) {
    if (isAppError(error, 'not_found')) return null
    throw error
  }
}
