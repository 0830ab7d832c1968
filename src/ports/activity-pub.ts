import type { AccountId } from '#lib/id.ts'

/** An actor of another server that signed a request. */
export interface Signer {
  accountId: AccountId
  uri: string
  /** With its port where it is not the default one. */
  host: string
}

/** A request as it arrived, before anything of it is believed. */
export interface SignedRequest {
  method: string
  /** Path and query as received. */
  target: string
  headers: Headers
  body: Buffer | null
  /** The network from which it came, as limits count it. */
  sender?: string
}

export interface DocumentRequest {
  /** Path as received, without query. */
  path: string
  query: URLSearchParams
  /** Decides who asks, where that matters. */
  signed: SignedRequest
}

export interface Document {
  body: Record<string, unknown>
  /** Seconds for which shared caches may keep it; 0: it depends on who asks. */
  maxAge: number
  /** It was there: the body is its tombstone. */
  gone: boolean
}

/** Pairs of keys with which an actor of this server signs, as PEM. */
export interface SigningPems {
  rsaPrivate: string
  rsaPublic: string
  ed25519Private: string
  ed25519Public: string
}

/** What this server tells other servers, and hears from them (https://www.w3.org/TR/activitypub/). */
export interface ActivityPub {
  /**
   * Who signed a request; null when it is not signed. Throws `unauthorized` with the reason when the signature is not
   * good, and `forbidden` for a server or actor with which this one has broken off.
   */
  identify(request: SignedRequest): Promise<Signer | null>
  /**
   * Takes an activity and answers at once; what it means is dealt with later. `username`: whose inbox, null for the
   * shared one. Throws `unauthorized`, `forbidden`, `bad_request`, and `not_found` for an inbox that is not there.
   */
  receive(request: SignedRequest, username: string | null): Promise<void>
  /**
   * The document at a path. Throws `not_found` for what is not there or not for this signer, `gone` for a deleted
   * account, `forbidden` for servers with which this one has broken off, and `unauthorized` where only signed requests
   * are answered.
   */
  document(request: DocumentRequest): Promise<Document>
  /** New pairs of keys. They belong to nobody yet. */
  generateKeys(): Promise<SigningPems>
}
