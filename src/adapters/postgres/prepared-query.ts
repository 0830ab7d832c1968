// A statement that is prepared once per connection, and whose rows are described once: pg asks for names and types of
// columns with each execution, which both sides pay for. What the rows of a prepared statement are made of does not change:
// PostgreSQL refuses to execute it then ("cached plan must not change result type").
import pg from 'pg'
import { keepSpecimen } from '#lib/specimens.ts'

/** What pg's `Query` keeps of itself, as far as it is read or set here. */
interface Internals {
  name: string
  _accumulateRows: boolean
  readonly _result: Shape
  prepare(connection: Connection): void
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
}

/** What rows are made of, and how their values are read: what pg's `Result` makes of a description. */
interface Shape {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
  readonly _parsers: unknown
  readonly _prebuiltEmptyResultObject: unknown
}

/** pg's connection, as far as it is used here. */
interface Connection {
  describe(message: unknown): void
}

interface Known {
  /** The connection, without a word of descriptions. */
  readonly silent: Connection
  /** By the names of statements. */
  readonly shapes: Map<string, Shape>
}

const Query = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  callback: (error: Error | null, result: pg.QueryResult) => void,
) => pg.Submittable & Internals

const connections = new WeakMap<Connection, Known>()
/** The last of each name: connections that agree share it. */
const shared = new Map<string, Shape>()

class PreparedQuery extends Query {
  #isDescribed = false
  #connection: Connection | null = null

  override prepare(connection: Connection): void {
    this.#connection = connection
    const { silent, shapes } = knownOf(connection)
    const shape = shapes.get(this.name)
    if (!shape) return super.prepare(connection)
    this.#isDescribed = this._accumulateRows = true
    Object.assign(this._result, shape)
    super.prepare(silent)
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message)
    this.#learn()
  }

  override handleDataRow(message: unknown): void {
    keepSpecimen('row', message)
    super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    keepSpecimen('completion', message)
    keepSpecimen('statement', this)
    // One that returns no rows is not described at all.
    if (!this.#isDescribed) this.#learn()
    super.handleCommandComplete(message, connection)
  }

  #learn(): void {
    this.#isDescribed = true
    if (!this.#connection) return
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    const found = shared.get(this.name)
    const shape =
      found && isSame(found, this._result) ? found : { fields, _parsers, _prebuiltEmptyResultObject }
    shared.set(this.name, shape)
    knownOf(this.#connection).shapes.set(this.name, shape)
  }
}

function knownOf(connection: Connection): Known {
  const found = connections.get(connection)
  if (found) return found
  const silent = Object.create(connection, { describe: { value: () => {} } }) as Connection
  const known = { silent, shapes: new Map() }
  connections.set(connection, known)
  return known
}

const isSame = (one: Shape, other: Shape): boolean =>
  one.fields.length === other.fields.length &&
  one.fields.every(({ name, dataTypeID }, index) => {
    const field = other.fields[index]
    return field?.name === name && field.dataTypeID === dataTypeID
  })

/** Executes a statement, which is prepared first where the connection does not know it under this name. */
export function askPrepared(
  client: pg.ClientBase,
  { name, text, values }: { name: string; text: string; values: readonly unknown[] },
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new PreparedQuery(text, values, (error, result) =>
      error ? reject(error) : resolve(result),
    )
    query.name = name
    // Not described: as in `createAsk`.
    client.query(query)
  })
}
