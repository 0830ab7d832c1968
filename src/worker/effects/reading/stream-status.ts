// Tells streams of statuses: where, in ids. What each listener gets of it is the streaming role's.
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { accessOf, type FeedKind } from '#domain/reading/timelines/feed-access.ts'
import { loadStatusPlaces, type StatusPlaces } from '#domain/reading/timelines/streamed.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import { feedChannels, personChannel, publicChannels, type StatusEvent } from '#lib/stream-channels.ts'
import { isAnybodyListening, publish } from './stream.ts'
import type { StatusId } from '#lib/id.ts'

/** What is older, in milliseconds, is no news on public streams: other servers send what they find. */
const recentFor = 6 * 3_600_000

const loadPlaces = createBatchLoader<Ctx, StatusId, StatusPlaces | null>({
  max: 50,
  async run(ctx, ids) {
    const places = await loadStatusPlaces(ctx, ids)
    return ids.map((id) => places.get(id) ?? null)
  },
})

/** Tells of a status that has entered the feeds it belongs to. */
export async function streamStatus(ctx: Ctx, event: StatusEvent, id: StatusId): Promise<void> {
  if (!isAnybodyListening(ctx)) return
  const places = await loadPlaces(ctx, id)
  if (!places) return
  for (const kind of ['home', 'list'] as const) {
    for (const [channel, to] of feedChannels(kind, kind === 'home' ? places.homes : places.lists)) {
      publish(ctx, channel, { event, id, to })
    }
  }
  if (places.open && (event !== 'update' || isRecent(ctx, places))) {
    const open = event === 'delete' ? places : await narrowToSettings(ctx, places)
    for (const channel of publicChannels(open)) publish(ctx, channel, { event, id })
  }
  if (event !== 'update') notifyMentioned(ctx, event, places)
}

/** Feeds that settings have disabled are not streamed to anybody. */
async function narrowToSettings(ctx: Ctx, places: StatusPlaces): Promise<StatusPlaces> {
  const settings = await getSettings(ctx)
  const origin = places.local ? 'local' : 'remote'
  const isDisabled = (kind: FeedKind) => accessOf(settings, kind)[origin] === 'disabled'
  const { tagsOnly, tags } = places
  return {
    ...places,
    tagsOnly: tagsOnly || isDisabled('live'),
    tags: isDisabled('topic') ? [] : tags,
  }
}

const isRecent = (ctx: Ctx, { created_at: at }: StatusPlaces) => ctx.clock.now() - at.getTime() < recentFor

/** Whom a status names hears that it was edited or deleted, whether they follow its author or not. */
function notifyMentioned(
  ctx: Ctx,
  event: 'status.update' | 'delete',
  { id, homes, mentioned }: StatusPlaces,
): void {
  const atHome = new Set(homes)
  for (const accountId of mentioned) {
    const home = atHome.has(accountId)
    if (event === 'status.update') publish(ctx, personChannel(accountId), { event, id, home })
    else if (!home) publish(ctx, personChannel(accountId), { event, id })
  }
}

/** Tells of an edit. What changes around the text alone, such as a card, is not told. */
export const streamEdit = {
  name: 'stream-edit',
  async run(ctx: Ctx, { statusId, editId }: EventOf<'status.updated'>) {
    if (editId !== null) await streamStatus(ctx, 'status.update', statusId)
  },
}

/** Tells that a quote has become visible, or no longer is. */
export const streamQuote = {
  name: 'stream-quote',
  run: (ctx: Ctx, { statusId }: EventOf<'quote.accepted' | 'quote.revoked'>) =>
    streamStatus(ctx, 'status.update', statusId),
}

/** Tells of a deletion. Before the status is taken out of feeds, which say who has seen it. */
export const streamDelete = {
  name: 'stream-delete',
  run: (ctx: Ctx, { statusId }: EventOf<'status.deleted'>) => streamStatus(ctx, 'delete', statusId),
}
