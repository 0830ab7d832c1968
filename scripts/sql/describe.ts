// Asks the database what statements take and return, without running them.
import type { EventEmitter } from 'node:events'
import type pg from 'pg'

/** A column of a result. */
export interface DescribedColumn {
  name: string
  /** Object id of its type. */
  type: number
  /** The column of a table that it is, by the table's object id and the column's number; null for what was calculated. */
  origin: string | null
}

export interface Description {
  /** Object ids of the types of $1, $2 … */
  parameters: readonly number[]
  columns: readonly DescribedColumn[]
  /** What the database says is wrong with the statement. */
  error: string | null
}

interface Connection extends EventEmitter {
  parse(query: { name: string; text: string; types: readonly number[] }): void
  describe(message: { type: 'S'; name: string }): void
  sync(): void
}

interface Field {
  name: string
  tableID: number
  columnID: number
  dataTypeID: number
}

/** A query for pg that prepares a statement, hears what it is like, and leaves it. */
class Describing {
  readonly #text: string
  readonly #done: (description: Description) => void
  #connection: Connection | null = null
  #parameters: readonly number[] = []
  #columns: DescribedColumn[] = []

  constructor(text: string, done: (description: Description) => void) {
    this.#text = text
    this.#done = done
  }

  readonly #hear = (message: { dataTypeIDs: readonly number[] }) => (this.#parameters = message.dataTypeIDs)

  submit(connection: Connection): void {
    this.#connection = connection
    connection.on('parameterDescription', this.#hear)
    connection.parse({ name: '', text: this.#text, types: [] })
    connection.describe({ type: 'S', name: '' })
    connection.sync()
  }

  handleRowDescription(message: { fields: readonly Field[] }): void {
    this.#columns = message.fields.map((field) => ({
      name: field.name,
      type: field.dataTypeID,
      origin: field.tableID === 0 ? null : `${field.tableID}.${field.columnID}`,
    }))
  }

  /** After an error nothing more is heard of a query. */
  handleError(error: Error): void {
    this.#finish(error.message)
  }

  handleReadyForQuery(): void {
    this.#finish(null)
  }

  #finish(error: string | null): void {
    this.#connection?.off('parameterDescription', this.#hear)
    this.#done({ parameters: this.#parameters, columns: this.#columns, error })
  }
}

/** Describes a statement. What is wrong with it is part of the answer. */
export const describe = (client: pg.Client, text: string): Promise<Description> =>
  new Promise((resolve) => {
    client.query(new Describing(text, resolve) as unknown as pg.Submittable)
  })
