// How values of the types that most rows are made of are read: pg's own readers try a regular expression on each id, and
// put a time together from a match. All other types are read by these.
import pg from 'pg'

const { INT8: int8, TIMESTAMPTZ: timestamptz } = pg.types.builtins
const int8Array: number = 1016

type Parser = (text: string) => unknown

const ownParsers: ReadonlyMap<number, Parser> = new Map<number, Parser>([
  [int8, (text) => text],
  [int8Array, parseIds],
  [timestamptz, parseTimestamp],
])

/** What pg is given as `types` of a connection. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : ownParsers.get(oid)) ??
    pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

const parseOtherIds = pg.types.getTypeParser(int8Array, 'text')
const parseOtherTimestamp = pg.types.getTypeParser(timestamptz, 'text')

/** `{1,2,3}`, without NULL and lists in it. */
const plainIds = /^\{[-\d,]+\}$/

function parseIds(text: string): unknown {
  if (text === '{}') return []
  return plainIds.test(text) ? text.slice(1, -1).split(',') : parseOtherIds(text)
}

const [minus, dot] = ['-'.charCodeAt(0), '.'.charCodeAt(0)]
const zero = '0'.charCodeAt(0)

/**
 * `2026-01-02 03:04:05.678901+00`, as times of usual years are written where the time zone is UTC. What is less than a
 * millisecond is left out.
 */
function parseTimestamp(text: string): unknown {
  const isUsual = text.charCodeAt(4) === minus && text.endsWith('+00') && text.charCodeAt(0) > zero
  if (!isUsual) return parseOtherTimestamp(text)
  const end = text.length - 3
  const milliseconds = text.charCodeAt(19) === dot ? thousandths(text, 20, end) : 0
  const [year, month, day] = [two(text, 0) * 100 + two(text, 2), two(text, 5) - 1, two(text, 8)]
  return new Date(Date.UTC(year, month, day, two(text, 11), two(text, 14), two(text, 17), milliseconds))
}

const digit = (text: string, at: number): number => text.charCodeAt(at) - zero
const two = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1)

/** The first three of the digits from `at` to `end`, of which there may be fewer. */
function thousandths(text: string, at: number, end: number): number {
  let sum = 0
  for (let place = 0; place < 3; place++) sum = sum * 10 + (at + place < end ? digit(text, at + place) : 0)
  return sum
}
