// What all that is told to streams has in common.
import type { Ctx } from '#ports/ctx.ts'
import {
  accessChannel,
  type AccessMessage,
  type AnnouncementMessage,
  type FeedMessage,
  type PersonMessage,
  type PublicMessage,
} from '#lib/stream-channels.ts'

type Message = AccessMessage | AnnouncementMessage | FeedMessage | PersonMessage | PublicMessage

/** False: there is certainly no stream open anywhere. */
export const isAnybodyListening = (ctx: Ctx) => ctx.bus.mayReach(accessChannel)

/** Sends to whoever listens. Costs nothing where certainly nobody does. */
export function publish(ctx: Ctx, channel: string, message: Message): void {
  if (ctx.bus.mayReach(channel)) ctx.bus.publish(channel, JSON.stringify(message))
}
