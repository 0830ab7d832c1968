// How a statement is sent: prepared once per connection, in its span, and not for ever.
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import type pg from 'pg'
import { plannedAnew } from '#db/planned-anew.ts'
import type { SpanStart } from '#ports/trace.ts'
import { askPrepared } from './prepared-query.ts'

/** Statements kept prepared per connection: past this many, further ones are parsed each time. */
const maxPrepared = 800

/** Sends a statement on a connection. */
export type Ask = (client: pg.ClientBase, text: string, values: readonly unknown[]) => Promise<pg.QueryResult>

/** Statements with values are prepared, unless `prepares` is false or they are to be planned each time (`plannedAnew`). */
export function createAsk(prepares: boolean): Ask {
  const nameOf = prepares ? createStatementNames() : () => undefined
  return (client, text, values) => {
    const name = values.length > 0 && !text.endsWith(plannedAnew) ? nameOf(text) : undefined
    const parameters = values.map(toParameter)
    // Not described: every statement of the query builder and of sql`…` comes by here, and each is described where it is written.
    return name
      ? askPrepared(client, { name, text, values: parameters })
      : client.query({ text, values: parameters })
  }
}

/** What stands in a list as it is. The word NULL would be none. */
const plain = /^(?!null$)[\w.:-]+$/i
const isPlain = (item: unknown): boolean => typeof item === 'string' && plain.test(item)

/**
 * Lists of ids and names, and times, as PostgreSQL reads them: pg would put each item into quotes and look for what to
 * escape there, and put a time together from seven parts that it fills up one by one.
 */
function toParameter(value: unknown): unknown {
  if (value instanceof Date) return isOfUsualYear(value) ? value.toISOString() : value
  return Array.isArray(value) && value.every(isPlain) ? `{${value.join()}}` : value
}

/** ISO 8601 writes other years in a way of its own. */
function isOfUsualYear(time: Date): boolean {
  const year = time.getUTCFullYear()
  return year > 0 && year <= 9999
}

/** Names for the texts of statements, the same on each connection. */
function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known || names.size >= maxPrepared) return known
    const name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
    return name
  }
}

/** The socket of a connection. */
export const streamOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

/**
 * A database that vanished without a word (a broken network, a stopped machine) would keep its callers for the
 * quarter of an hour that TCP tries. Whoever cuts the statement off has to cut the connection, which it blocks.
 */
export async function cutAfter<T>(
  milliseconds: number,
  client: pg.ClientBase,
  asked: Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => streamOf(client).destroy(), milliseconds)
  try {
    return await asked
  } catch (error) {
    // Of whoever asked, not of the socket that the answer came by.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Values are not in the text: they are sent beside it. */
export function describeStatement(text: string): SpanStart {
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text, 'db.operation.name': verb }
  return { name: verb, kind: 'client', attributes }
}
