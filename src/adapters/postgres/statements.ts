// How a statement is sent: prepared once per connection, in its span, and not for ever.
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import type pg from 'pg'
import type { SpanStart } from '#ports/trace.ts'

/** Statements kept prepared per connection: past this many, further ones are parsed each time. */
const maxPrepared = 800

/** Names for the texts of statements, the same on each connection. */
export function createStatementNames(): (text: string) => string | undefined {
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
