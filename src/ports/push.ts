/** The way to the push services that browsers and apps name (RFC 8030). */
export interface Push {
  /** Encrypts a message and hands it to the push service. Never rejects for what the other side does. */
  send(message: PushMessage): Promise<PushOutcome>
}

export interface PushMessage {
  /** The address that the push service gave to the subscription. */
  endpoint: string
  /** In base64url: the public key of the recipient, a point of P-256, and the 16 bytes that authenticate us to it. */
  keys: { readonly p256dh: string; readonly auth: string }
  /** `aes128gcm` of RFC 8291; false: `aesgcm`, as drafts before it had it. */
  standard: boolean
  /** 3,900 bytes at most: what every push service takes. */
  payload: string
  /** How long it is of use when the recipient is not reachable, in seconds. */
  ttl: number
  /** Whom the push service may write to (RFC 8292, section 2.1): a `mailto:` or `https:` address. */
  contact: string
  /** It replaces a message of the same topic that waits: 32 characters of base64url at most. */
  topic: string
}

export type PushOutcome =
  | { result: 'delivered' }
  /** There is no such subscription any more, or its address must not be reached. */
  | { result: 'gone' }
  /** The push service does not take messages of this size. */
  | { result: 'too-large' }
  /** The push service does not want it, for reasons of its own. */
  | { result: 'refused'; status: number }
  /** Not now. `restUntil`: when it wants to be asked again, in milliseconds since the epoch. */
  | { result: 'again'; restUntil: number | null }
  /** No answer. `slow`: it was waited for. */
  | { result: 'silent'; slow: boolean }
