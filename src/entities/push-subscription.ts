import { z } from 'zod'
import { entity, flag, id, text, url, type Json, type Schema } from './entity.ts'

/** https://docs.joinmastodon.org/entities/WebPushSubscription/ */
const webPushSubscription = entity('WebPushSubscription', {
  id,
  endpoint: url,
  standard: flag,
  /** By kind of notification: those that Mastodon documents always, others where they were asked for. */
  alerts: z.record(text, flag),
  policy: z.enum(['all', 'followed', 'follower', 'none']),
  server_key: text,
})
export interface WebPushSubscription extends Json<typeof webPushSubscription> {}
export const WebPushSubscription: Schema<WebPushSubscription> = webPushSubscription
