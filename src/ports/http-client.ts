import type { ReadableStream } from 'node:stream/web'

/**
 * Requests to addresses that this server did not choose itself, or that its operator configured: the one way out.
 * Every hop is checked after its name was resolved, and the connection is made to the checked address.
 */
export interface HttpClient {
  /**
   * Sends a request and follows redirects. Any status is an answer. Rejects with a `RemoteError` when there is none,
   * when it is too large or of another type than asked for, or when an address must not be reached.
   */
  send(request: HttpRequest): Promise<HttpResponse>
  /** As `send`, but the body of a 2xx answer goes to the file `path`, which must not exist, and `body` is empty. */
  download(request: HttpRequest & { path: string }): Promise<HttpResponse & { bytes: number }>
  /**
   * As `send`, but answers with the header fields, and the body follows as it is read: nothing is decompressed, and a
   * slow reader slows the sender. `timeout` ends at the header fields; then it is the time between two pieces while
   * somebody waits for one. The body fails after `maxBytes`. Whoever calls this reads the body to its end or cancels it.
   */
  stream(request: HttpRequest): Promise<HttpStream>
}

export interface HttpRequest {
  url: string
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  /**
   * `host`, `connection` and `content-length` are the client's. When a redirect leads to another origin, only those go
   * along that cannot hold credentials, such as `accept` and `user-agent`.
   */
  headers?: Readonly<Record<string, string>>
  /** `path` streams a file. */
  body?: string | Buffer | { path: string }
  /** Bytes of the body at most, after decompression. */
  maxBytes: number
  /** Media types of a 2xx answer, such as `text/html` or `image/*`; another one is refused before it is read. */
  types?: readonly string[]
  /** Milliseconds from the call to the last byte, redirects included. Default 10,000. */
  timeout?: number
  /** Hops at most. Default 3; 0 takes a redirect for the answer. */
  redirects?: number
  /** What `maxBytes` means for a body that is longer: an error (default), or only its beginning is wanted. */
  longer?: 'error' | 'cut'
  /**
   * It does no harm when it arrives twice: it is sent once more when a kept connection turns out to be closed. What
   * changes nothing always is.
   */
  repeatable?: boolean
  /**
   * It is sent although the operator has broken off with the host, which is to hear of that. What addresses may be
   * reached is checked all the same.
   */
  despiteBlock?: boolean
  /** Further headers for one hop, such as its signature: asked anew at each, so that none goes to another host. */
  sign?: (hop: { method: string; url: URL }) => Promise<Record<string, string>>
}

export interface HttpResponse {
  status: number
  /** Where the answer came from, after redirects. */
  url: string
  headers: Headers
  /** Of an error status 64 KiB at most, and no bytes when it has none of the `types`. */
  body: Buffer
}

export interface HttpStream extends Omit<HttpResponse, 'body'> {
  body: ReadableStream<Uint8Array>
}

export type RemoteProblem =
  /** The address, scheme or host must not be reached. */
  'forbidden' | 'unreachable' | 'timeout' | 'too-large' | 'wrong-type' | 'redirects'

/** A request without a usable answer. The message is for the log: it may name addresses. */
export class RemoteError extends Error {
  readonly problem: RemoteProblem

  constructor(problem: RemoteProblem, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'RemoteError'
    this.problem = problem
  }
}
