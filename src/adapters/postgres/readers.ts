// Connections that only read and that many callers share: statements are sent without waiting for the answers to those
// before them, so that a few of them keep the database's cores busy (docs/adr/0022).
import pg from 'pg'
import type { Log } from '#ports/log.ts'
import { isLastWord } from './last-word.ts'
import { createReadStatements, type ReadStatements } from './read-statements.ts'
import { sayGoodbye } from './say-goodbye.ts'
import { cutAfter, streamOf, type Ask } from './statements.ts'
import { createSteps } from './steps.ts'

export interface ReadersOptions {
  /** As for a pool. */
  connection: pg.PoolConfig
  /** How many connections at most: the last one is opened when the others are held up. */
  max: number
  log: Log
  ask: Ask
  /** Milliseconds for which a statement may remain unanswered. */
  maxDuration: number
  /** What is known of statements, where others know it too. */
  statements?: ReadStatements
  /** A question that is sent before the statements of each turn, on their connection. */
  first?: { name: string; text: string }
}

/** Whether an answer is of use, by the row that answered `first` before it. */
export type Check = (row: unknown) => boolean

export interface Readers {
  /**
   * The answer to a statement that only reads, or null where it has to be asked elsewhere: because it writes or locks,
   * or because all readers are held up by a slow statement or have lost their database. Rejects with `ReaderLost` where
   * it has to be asked elsewhere after all.
   */
  query(text: string, values: readonly unknown[], check?: Check): Promise<pg.QueryResult> | null
  /** How many statements are under way. */
  waiting(): number
  /** Loses all connections: whoever waits there has to ask elsewhere. */
  cut(): void
  /** How many connections are open, and how many of them have nothing to do. */
  use(): { open: number; idle: number }
  close(): Promise<void>
}

/** Whoever waits behind a statement that takes longer than so many steps of so many milliseconds is better off elsewhere. */
const slow = { steps: 4, length: 25 }
/** Statements under way on a connection from which on a further one is used: each keeps plans of its own. */
const crowded = 8
/** How many of so many connections share the work: one is for when those are held up. */
const sharing = (max: number) => Math.max(1, max - 1)
/** A connection without work for this long, in milliseconds, is closed. */
const idleTime = 60_000

/** On the clock of `performance`, and by the steps of the readers. */
interface Mark {
  at: number
  step: number
}

interface Reader {
  readonly client: pg.Client
  ready: boolean
  lost: boolean
  /** It is none of the readers any more, and another one may be opened. */
  readonly leave: () => void
  /** When those under way were sent, the oldest first. */
  readonly sent: Set<Mark>
  corked: boolean
  /** The answer to the question before the statements of this turn. */
  first: Promise<unknown> | null
  idle: NodeJS.Timeout | undefined
}

/** Opens connections as they are needed. */
export function createReaders(options: ReadersOptions): Readers {
  const statements = options.statements ?? createReadStatements()
  const readers = new Set<Reader>()
  const waiting = () => [...readers].reduce((sum, { sent }) => sum + sent.size, 0)
  const steps = createSteps(slow.length, () => waiting() > 0)
  let closing = false

  function open(): void {
    const reader = connect(options, () => readers.delete(reader))
    readers.add(reader)
  }

  /** The first that has not too much to do, else the one with least, where it is worth waiting for it. */
  function pick(): Reader | null {
    const step = steps()
    let best: Reader | null = null
    let able = 0
    let isOpening = false
    for (const reader of readers) {
      isOpening ||= !reader.ready
      if (!reader.ready || isHeldUp(reader, step)) continue
      if (reader.sent.size < crowded) return reader
      if (best === null || reader.sent.size < best.sent.size) best = reader
      able += 1
      if (able === sharing(options.max)) return best
    }
    if (readers.size < options.max && !isOpening) open()
    return best
  }

  return {
    query(text, values, check) {
      if (closing || !statements.onlyReads(text)) return null
      const reader = pick()
      const onWrite = () => statements.markWriting(text)
      return reader && ask(reader, { text, values, options, steps, onWrite, ...(check && { check }) })
    },
    waiting,
    cut() {
      for (const { client } of readers) streamOf(client).destroy()
    },
    use: () => ({
      open: readers.size,
      idle: [...readers].filter((reader) => reader.sent.size === 0).length,
    }),
    async close() {
      closing = true
      await Promise.all([...readers].map((reader) => end(reader)))
    },
  }
}

function isHeldUp(reader: Reader, step: number): boolean {
  const [oldest] = reader.sent
  return oldest !== undefined && step - oldest.step > slow.steps
}

function connect(options: ReadersOptions, onEnd: () => void): Reader {
  const { connection } = options
  const client = new pg.Client({
    ...connection,
    options: `${connection.options ?? ''} -c default_transaction_read_only=on`,
    pipeline: true,
  } as pg.ClientConfig)
  const reader: Reader = {
    client,
    ready: false,
    lost: false,
    leave: onEnd,
    sent: new Set(),
    corked: false,
    first: null,
    idle: undefined,
  }
  const lose = () => {
    markLost(reader)
    onEnd()
    streamOf(client).destroy()
  }
  client.on('error', (error) => {
    if (!reader.lost) options.log.warn({ error: error.message }, 'a database connection was lost')
    lose()
  })
  client.on('end', lose)
  void begin(reader).catch(lose)
  return reader
}

/** Rejects where there is no database: whoever asks elsewhere meanwhile is told why. */
async function begin(reader: Reader): Promise<void> {
  await reader.client.connect()
  reader.ready = true
  rest(reader)
}

/** Closes it when it has nothing to do for long. */
function rest(reader: Reader): void {
  const look = () => (reader.sent.size === 0 ? void dismiss(reader) : rest(reader))
  reader.idle = reader.idle?.refresh() ?? setTimeout(look, idleTime).unref()
}

function markLost(reader: Reader): void {
  reader.ready = false
  reader.lost = true
  clearTimeout(reader.idle)
}

/** Ends one that has nothing to do. Its connection may have gone without a word: it is in nobody's way meanwhile. */
function dismiss(reader: Reader): Promise<void> {
  markLost(reader)
  reader.leave()
  return sayGoodbye(reader.client)
}

/** What is under way there is answered before. */
async function end(reader: Reader): Promise<void> {
  if (reader.sent.size === 0) return dismiss(reader)
  markLost(reader)
  await reader.client.end().catch(() => {})
}

interface Question {
  text: string
  values: readonly unknown[]
  options: ReadersOptions
  steps(): number
  onWrite(): void
  check?: Check
}

/** SQLSTATE of a statement that writes where nothing may be written: nothing of it was done. */
const readOnly = '25006'

async function ask(reader: Reader, question: Question): Promise<pg.QueryResult> {
  const { text, values, options, check } = question
  const now = (): Mark => ({ at: performance.now(), step: question.steps() })
  const mark = now()
  reader.sent.add(mark)
  const first = cork(reader, options)
  const asked = options.ask(reader.client, text, values)
  try {
    const answer = await cutAfter(options.maxDuration, reader.client, asked)
    if (check && !check(await first)) throw new ReaderLost('the answer is not of use')
    return answer
  } catch (error) {
    if ((error as { code?: string }).code === readOnly) question.onWrite()
    const isOwn = performance.now() - mark.at >= options.maxDuration
    throw isOwn || error instanceof ReaderLost ? error : asLost(error, reader)
  } finally {
    reader.sent.delete(mark)
    if (reader.sent.size === 0 && reader.ready) rest(reader)
    // The one behind it has waited for it, and has only now its turn.
    for (const next of reader.sent) {
      Object.assign(next, now())
      break
    }
  }
}

/** What is sent in one turn of the event loop goes in one write. Returns the answer to the question before it. */
function cork(reader: Reader, { first }: ReadersOptions): Promise<unknown> | null {
  if (reader.corked) return reader.first
  reader.corked = true
  const stream = streamOf(reader.client)
  stream.cork()
  // Not described: it is of functions of PostgreSQL alone, and of no table.
  reader.first = first ? reader.client.query(first).then(({ rows }) => rows[0]) : null
  // Where it fails so do those behind it.
  reader.first?.catch(() => {})
  setImmediate(() => {
    reader.corked = false
    stream.uncork()
  })
  return reader.first
}

/** The statement itself is not to blame: asking once more elsewhere is safe, because it only reads. */
export class ReaderLost extends Error {}

function asLost(error: unknown, reader: Reader): unknown {
  const { code } = error as { code?: string }
  const isOfConnection = reader.lost || !reader.ready || code === readOnly || isLastWord(error)
  return isOfConnection ? new ReaderLost('the reading connection was lost', { cause: error }) : error
}
