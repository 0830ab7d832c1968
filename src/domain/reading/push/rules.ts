// What a push subscription may say. Pure.
import { ECDH } from 'node:crypto'
import { invalid } from '#lib/errors.ts'
import { checkOutgoingUrl, type OutgoingRules } from '#lib/net/outgoing-url.ts'

/** From whom notifications are pushed: everybody, those the subscriber follows, those who follow them, nobody. */
export const pushPolicies = ['all', 'followed', 'follower', 'none'] as const
export type PushPolicy = (typeof pushPolicies)[number]

/** The kinds that the API documents; a subscription always tells whether they are on. */
export const documentedAlerts = [
  'mention',
  'quote',
  'status',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'poll',
  'update',
  'quoted_update',
  'admin.sign_up',
  'admin.report',
] as const

/** All kinds of notifications that can be asked for. */
export const alertKinds: readonly string[] = [
  ...documentedAlerts,
  'severed_relationships',
  'moderation_warning',
  'annual_report',
  'added_to_collection',
  'collection_update',
  'pleroma:emoji_reaction',
]

export interface PushInput {
  endpoint: string
  p256dh: string
  auth: string
}

const maxEndpointLength = 2048

/**
 * Checks where messages are to be sent and the keys that encrypt them (RFC 8291, section 2), which come back in
 * base64url. Throws `invalid`.
 */
export function checkPushInput(rules: OutgoingRules, input: PushInput): PushInput {
  const endpoint = input.endpoint.trim()
  if (endpoint.length > maxEndpointLength || !checkOutgoingUrl(rules, endpoint).url) {
    throw invalid('endpoint', 'not_a_url')
  }
  const p256dh = readPoint(input.p256dh)
  if (p256dh === null) throw invalid('key_p256dh', 'no_public_key')
  const auth = decodeBase64(input.auth)
  if (auth?.length !== 16) throw invalid('key_auth', 'not_16_bytes')
  return { endpoint, p256dh, auth: auth.toString('base64url') }
}

/** An uncompressed point on the curve, in base64url, or null. */
function readPoint(text: string): string | null {
  const point = decodeBase64(text)
  if (point?.length !== 65 || point[0] !== 4) return null
  try {
    ECDH.convertKey(point, 'prime256v1')
  } catch {
    return null
  }
  return point.toString('base64url')
}

/** Of both alphabets, padded or not, as apps write it. */
function decodeBase64(text: string): Buffer | null {
  return /^[A-Za-z0-9_+/-]{1,200}={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : null
}
