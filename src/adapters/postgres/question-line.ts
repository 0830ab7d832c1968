// A connection for short questions alone, which nothing slow can be in front of. It is made anew when it is lost.
import pg from 'pg'
import { hangUp, sayGoodbye } from './say-goodbye.ts'
import { cutAfter } from './statements.ts'

export interface LineOptions {
  /** As for a pool. */
  connection: pg.PoolConfig
  /** Called with each connection that was made, and when it is lost. */
  onChange?: (state: 'made' | 'lost') => void
}

export interface Line {
  /** The row that answers a question without parameters; null where nobody answers in time. Never rejects. */
  ask<Row>(name: string, text: string): Promise<Row | null>
  close(): Promise<void>
}

/** How long an answer, and a connection, may take, in milliseconds. */
const patience = 2_000
/** Milliseconds from one attempt to connect to the next. */
const pause = 1_000

/** Connects when it is first asked. */
export function openLine({ connection, onChange = () => {} }: LineOptions): Line {
  let client: pg.Client | null = null
  let connecting: Promise<void> | null = null
  let tried = -Infinity
  let isClosed = false

  function lose(lost: pg.Client): void {
    if (client !== lost) return
    client = null
    onChange('lost')
  }

  async function connect(): Promise<void> {
    tried = performance.now()
    const made = new pg.Client({
      ...connection,
      connectionTimeoutMillis: patience,
      pipeline: true,
    } as pg.ClientConfig)
    made.on('error', () => lose(made))
    made.on('end', () => lose(made))
    try {
      await made.connect()
    } catch {
      return hangUp(made)
    }
    if (isClosed) return sayGoodbye(made)
    client = made
    onChange('made')
  }

  async function connected(): Promise<pg.Client | null> {
    if (client || isClosed) return client
    if (!connecting && performance.now() - tried < pause) return null
    connecting ??= connect().finally(() => (connecting = null))
    await connecting
    return client
  }

  return {
    async ask<Row>(name: string, text: string) {
      const asked = await connected()
      if (!asked) return null
      try {
        // Not described: the questions are of functions of PostgreSQL alone, and of no table.
        const { rows } = await cutAfter(patience, asked, asked.query({ name, text }))
        return (rows[0] as Row | undefined) ?? null
      } catch {
        return null
      }
    },
    async close() {
      isClosed = true
      await connecting
      if (client) await sayGoodbye(client)
    },
  }
}
