// What a peer serves at its paths.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

export type JsonObject = Record<string, unknown>

export interface PutOptions {
  /** Default: application/activity+json. */
  type?: string
  status?: number
  headers?: Record<string, string | string[]>
}

export interface Documents {
  /** Serves a document (text and bytes as they are) at a path, with its query if that is given. */
  put(path: string, content: unknown, options?: PutOptions): void
  /** Serves what is made anew at each request. */
  compute(path: string, make: () => unknown, options?: PutOptions): void
  /** Lets a listener answer all requests to a path. Nothing has read their bodies. */
  answer(path: string, listener: RequestListener): void
  /** From now on nothing is at this path. */
  remove(path: string): void
  /** Null when nothing is there. */
  find(target: string): RequestListener | null
}

export const activityJson = 'application/activity+json; charset=utf-8'

export function createDocuments(): Documents {
  const listeners = new Map<string, RequestListener>()
  const compute: Documents['compute'] = (path, make, options = {}) =>
    void listeners.set(path, (_request, response) => writeDocument(response, make(), options))
  return {
    put: (path, content, options) => compute(path, () => content, options),
    compute,
    answer: (path, listener) => void listeners.set(path, listener),
    remove: (path) => void listeners.delete(path),
    find: (target) => listeners.get(target) ?? listeners.get(target.split('?')[0] as string) ?? null,
  }
}

export function writeDocument(response: ServerResponse, content: unknown, options: PutOptions = {}): void {
  const isRaw = typeof content === 'string' || Buffer.isBuffer(content)
  response.writeHead(options.status ?? 200, {
    'content-type': options.type ?? activityJson,
    ...options.headers,
  })
  response.end(isRaw ? content : JSON.stringify(content))
}

/** The whole body, or what came of it before the sender went away. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
