// The head of an answer that others may get compressed.
import {
  ServerResponse,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
} from 'node:http'

const texts =
  /^(text\/(?!event-stream)[\w.+-]+|application\/([\w.-]+\+)?(json|xml)|application\/javascript|image\/svg\+xml)\s*(;|$)/i

/** What `writeHead` gets behind the status. */
export type HeadRest = [(string | OutgoingHttpHeaders)?, OutgoingHttpHeaders?]
/** The same with headers as a list, which nobody here sends: it passes as it is. */
type AnyRest = [
  (string | OutgoingHttpHeaders | OutgoingHttpHeader[])?,
  (OutgoingHttpHeaders | OutgoingHttpHeader[])?,
]

export interface Head {
  status: number
  /** By names in lower case. */
  headers: OutgoingHttpHeaders
}

/**
 * Says of texts that they vary by what codings a client knows. A class, which the server makes its answers of: a method
 * that is put upon each of them cost a tenth of a small answer.
 */
export class VaryingResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
  varies = false

  override writeHead(status: number, ...rest: AnyRest): this {
    if (!this.varies || isSettled(rest.at(-1))) return super.writeHead(status, ...(rest as []))
    const head = headOf(status, rest as HeadRest)
    return super.writeHead(status, isText(head) ? withVary(head.headers) : head.headers)
  }
}

/** Says so already, or is no object of names. */
function isSettled(headers: AnyRest[number]): boolean {
  if (typeof headers !== 'object' || headers === null) return false
  return Array.isArray(headers) || (typeof headers['vary'] === 'string' && namesCoding.test(headers['vary']))
}

export function headOf(status: number, rest: HeadRest): Head {
  const headers = rest.findLast((value) => typeof value === 'object')
  return { status, headers: lowerCased(headers ?? {}) }
}

function lowerCased(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const made: OutgoingHttpHeaders = {}
  for (const name in headers) made[name.toLowerCase()] = headers[name]
  return made
}

/** Whether an answer is a text that may be compressed: no part of a file, and nothing that has a coding already. */
export function isText({ status, headers }: Head): boolean {
  return (
    status !== 206 &&
    headers['content-encoding'] === undefined &&
    texts.test(String(headers['content-type'] ?? '')) &&
    !String(headers['cache-control'] ?? '').includes('no-transform')
  )
}

export const withVary = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders => ({
  ...headers,
  vary: varyByCoding([headers['vary'] ?? []].flat().join(', ')),
})

const namesCoding = /accept-encoding|\*/i

/** The value of `Vary`, with the coding among its names. */
export function varyByCoding(names: string | undefined): string {
  if (!names) return 'Accept-Encoding'
  return namesCoding.test(names) ? names : `${names}, Accept-Encoding`
}
