// Statements that every page needs, put together once instead of for each request.
import type { CompiledQuery, QueryExecutorProvider, QueryResult } from 'kysely'

type Argument = string | number | Date | null | readonly string[]
/** An argument that only says whether something is so; null: it is not. */
export type Flag = string | null

type Ask<Args extends readonly Argument[], Row> = (
  db: QueryExecutorProvider,
  ...args: Args
) => Promise<QueryResult<Row>>

/** A statement in one of its forms, and which argument, by its place, each of its parameters is; -1 for none. */
interface Kept {
  compiled: CompiledQuery
  places: readonly number[]
}

/**
 * Returns `build`, whose statement is put together only once for each choice of arguments that are null. All that varies
 * has to be an argument and stand in the statement as it is; what `build` makes of arguments, or a time, is refused when
 * it is first asked. Putting one together, and finding what is prepared by a new text, takes 30 µs for a long one.
 */
export function keepStatement<Args extends readonly Argument[], Row>(build: Ask<Args, Row>): Ask<Args, Row> {
  const forms = new Map<string, Kept>()
  return (db, ...args) => {
    const form = args.map((arg) => (arg === null ? '0' : '1')).join('')
    let kept = forms.get(form)
    if (!kept) forms.set(form, (kept = record(build, db, args)))
    const { compiled, places } = kept
    const parameters = compiled.parameters.map((value, index) => {
      const place = places[index] as number
      return place < 0 ? value : args[place]
    })
    return db.getExecutor().executeQuery<Row>({ ...compiled, parameters } as CompiledQuery<Row>)
  }
}

const mark = '\0argument'

function standIn(arg: Argument, place: number): Argument {
  if (arg === null) return null
  if (arg instanceof Date) return new Date(0)
  if (typeof arg === 'number') return Number.MIN_SAFE_INTEGER + place
  return typeof arg === 'string' ? `${mark} ${place}` : Object.freeze([`${mark} ${place}`])
}

/** Whether a parameter was made of what stands in for an argument. */
const isMadeOf = (value: unknown): boolean =>
  value instanceof Date ||
  (typeof value === 'number' && Math.abs(value) > 2 ** 52) ||
  JSON.stringify(value)?.includes(JSON.stringify(mark).slice(1, -1)) === true

function record<Args extends readonly Argument[], Row>(
  build: Ask<Args, Row>,
  db: QueryExecutorProvider,
  args: Args,
): Kept {
  const executor = db.getExecutor()
  const standIns = args.map(standIn)
  let compiled: CompiledQuery | undefined
  const recorder = {
    getExecutor: () => ({
      transformQuery: executor.transformQuery.bind(executor),
      compileQuery: executor.compileQuery.bind(executor),
      async executeQuery(query: CompiledQuery) {
        compiled = query
        return { rows: [] }
      },
    }),
  } as unknown as QueryExecutorProvider
  void build(recorder, ...(standIns as unknown as Args))
  if (!compiled) throw new Error('a kept statement has to be asked at once')
  const places = compiled.parameters.map((value) => {
    const place = value === null ? -1 : standIns.indexOf(value as Argument)
    if (place < 0 && isMadeOf(value))
      throw new Error('in a kept statement, all that varies has to be an argument as it is')
    return place
  })
  return withListsOnce({ compiled, places })
}

/**
 * A list that stands at several places is sent, and read by the database, once: with forty ids that is most of what a
 * statement costs before it runs. Of lists alone the type is always written out (`::bigint[]`), so it is the same one.
 */
function withListsOnce({ compiled, places }: Kept): Kept {
  const { parameters } = compiled
  /** Of each parameter, by its place: which of those that are sent it is, from 1 on. */
  const numbers: number[] = []
  const sent: number[] = []
  parameters.forEach((value, index) => {
    const first = Array.isArray(value) ? parameters.indexOf(value) : index
    numbers.push(first < index ? (numbers[first] as number) : sent.push(index))
  })
  if (sent.length === parameters.length) return { compiled, places }
  const text = compiled.sql.replaceAll(/\$(\d+)/g, (_, number: string) => `$${numbers[Number(number) - 1]}`)
  return {
    compiled: { ...compiled, sql: text, parameters: sent.map((index) => parameters[index]) },
    places: sent.map((index) => places[index] as number),
  }
}
