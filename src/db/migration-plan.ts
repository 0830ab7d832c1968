// What a migration would do, told from its statements without running them.
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Migration } from './migrations/index.ts'

export interface PlannedStatement {
  readonly text: string
  /** The table that it is about; null: none, or none that can be told. */
  readonly table: string | null
  /** `rows`: it goes through all rows, or writes them; `index`: it builds one of them; `brief`: neither. */
  readonly work: 'rows' | 'index' | 'brief'
}

/** Returns the statements of a migration in their order. What depends on answers of the database is told roughly. */
export async function planOf(migration: Migration): Promise<PlannedStatement[]> {
  const statements: string[] = []
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (instance) => new PostgresIntrospector(instance),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: (event) => void statements.push(event.query.sql),
  })
  try {
    await migration.up(db)
  } catch {
    // It wanted rows, and got none: what comes after is unknown.
  }
  const made = new Set<string>()
  return statements.flatMap(splitStatements).map((text) => {
    const planned = describe(text)
    if (planned.table !== null && isCreation(text)) made.add(planned.table)
    return planned.table !== null && made.has(planned.table) ? { ...planned, work: 'brief' } : planned
  })
}

const isCreation = (text: string) => /^create\s+(?:unlogged\s+)?table\b/i.test(text)

/** Statements are separated by semicolons at the end of a line, which are in no function's body. */
function splitStatements(text: string): string[] {
  const bodies: string[] = []
  const without = text.replace(/\$\$[\s\S]*?\$\$/g, (body) => `$body${bodies.push(body) - 1}$`)
  return without
    .split(/;\s*(?:\n|$)/)
    .map((one) => one.replace(/\$body(\d+)\$/g, (_, index) => bodies[Number(index)] ?? '').trim())
    .filter(Boolean)
}

const table = String.raw`(?:if\s+(?:not\s+)?exists\s+)?(?:only\s+)?"?([a-z_]+)"?`
const starts: readonly { pattern: RegExp; work: PlannedStatement['work'] }[] = [
  {
    pattern: new RegExp(String.raw`^create\s+(?:unique\s+)?index\s[^(]*?\son\s+${table}`, 'i'),
    work: 'index',
  },
  { pattern: new RegExp(String.raw`^(?:update|delete\s+from|insert\s+into)\s+${table}`, 'i'), work: 'rows' },
  {
    pattern: new RegExp(String.raw`^(?:alter|drop|truncate|create)\s+(?:unlogged\s+)?table\s+${table}`, 'i'),
    work: 'brief',
  },
]
/** Actions of `alter table` that go through all rows. */
const throughRows =
  /\btype\s|\bset\s+not\s+null|\bstored\b|^add\s+(?:constraint|check|foreign|unique|primary)\b/i

function describe(text: string): PlannedStatement {
  for (const { pattern, work } of starts) {
    const [, found] = pattern.exec(text) ?? []
    if (found === undefined) continue
    const isLong = actionsOf(text).some(
      (action) => throughRows.test(action) && !/\bnot\s+valid\b/i.test(action),
    )
    return { text, table: found, work: isLong ? 'rows' : work }
  }
  return { text, table: null, work: 'brief' }
}

/** What an `alter table` does, one by one; nothing for other statements. Commas within brackets separate nothing. */
function actionsOf(text: string): string[] {
  const [start] = new RegExp(String.raw`^alter\s+table\s+${table}\s+`, 'i').exec(text) ?? []
  if (start === undefined) return []
  const actions = ['']
  let depth = 0
  for (const letter of text.slice(start.length)) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter === ',' && depth === 0) actions.push('')
    else actions[actions.length - 1] += letter
  }
  return actions.map((action) => action.trim())
}

interface Rule {
  pattern: RegExp
  /** What makes it harmless all the same. */
  unless?: RegExp
  mayContract?: true
  instead: string
}

/** What programs that run would meet, by what an `alter table` does, or a statement that drops; and what to do instead. */
const rules: readonly Rule[] = [
  {
    pattern: /^drop\s+(?!constraint|default|not\s)/i,
    mayContract: true,
    instead:
      'the program of the version before still uses it: drop it one version later, with `contracts: true`',
  },
  {
    pattern: /^rename\b/i,
    mayContract: true,
    instead: 'add the new name, write both, and drop the old one in a later version',
  },
  {
    pattern: /^alter\s+(?:column\s+)?\S+\s+(?:set\s+data\s+)?type\b/i,
    instead:
      'it rewrites the table under a lock: add a column, fill it in steps, and drop the old one in a later version',
  },
  {
    pattern: /\bset\s+not\s+null\b/i,
    instead: 'add a check constraint `not valid`, validate it, and only then set it',
  },
  {
    pattern: /^add\s+(?:column\s+)?(?!constraint|check|foreign|unique|primary)\w+\s.*\bnot\s+null\b/is,
    unless: /\b(?:default|generated)\b/i,
    instead: 'the program of the version before writes no value: give the column a default',
  },
  {
    pattern: /^add\s+(?:constraint\s+\S+\s+)?(?:check|foreign)\b/i,
    unless: /\bnot\s+valid\b/i,
    instead:
      'it reads the whole table under a lock: add it `not valid`, and validate it in a statement of its own',
  },
]

/** What waits there is dealt with at once and bounded: an index of it is made in a moment. */
const queues = new Set(['outbox', 'incoming_activities'])

/**
 * Returns what would disturb the program of the version before, which still runs while this migration does, or lock
 * people out; one line each.
 */
export async function findDisturbances(migration: Migration): Promise<string[]> {
  const made = new Set<string>()
  const problems: string[] = []
  for (const { text, table: about, work } of await planOf(migration)) {
    if (about !== null && isCreation(text)) made.add(about)
    if (about !== null && made.has(about)) continue
    const add = (instead: string) =>
      problems.push(`${text.replaceAll(/\s+/g, ' ').slice(0, 100)}: ${instead}`)
    if (work === 'index' && !/\bconcurrently\b/i.test(text) && !queues.has(about ?? ''))
      add('it locks out whoever writes: create index concurrently, with `outsideTransaction: true`')
    const actions = /^drop\s+table\b/i.test(text) ? [text] : actionsOf(text)
    for (const { pattern, unless, mayContract, instead } of rules)
      if (
        actions.some((action) => pattern.test(action) && !unless?.test(action)) &&
        !(mayContract && migration.contracts)
      )
        add(instead)
  }
  return problems
}
