// The database as a whole: to a newer PostgreSQL, out of the embedded one, and back into it.
import type { CopySummary } from '#app/database/copy-database.ts'
import { UsageError, jsonOption, type Command, type Group, type Input } from '../kit/command.ts'
import { createProgress } from '../kit/progress.ts'

const force = { help: 'Replace what is in the database that it is copied to' }

const partsOf = (input: Input) => ({
  tell: (line: string) => void process.stderr.write(`${line}\n`),
  progress: (label: string, total?: number) => createProgress({ label, total, json: input.flag('json') }),
})

const upgrade: Command = {
  summary:
    'Brings the embedded database to the PostgreSQL of this program, by a copy; the former one is kept until --confirm',
  options: {
    programs: {
      value: 'FOLDER',
      help: 'Where the programs of the former PostgreSQL are; found or fetched without it',
    },
    confirm: { help: 'Remove what earlier upgrades have kept: all is well' },
    json: jsonOption,
  },
  async run(input) {
    const { removeFormer, upgradeEmbedded } = await import('#app/database/move.ts')
    const isJson = input.flag('json')
    if (input.flag('confirm')) {
      const removed = await removeFormer(input.env)
      if (isJson) return console.log(JSON.stringify({ removed }))
      return console.log(
        removed.length === 0 ? 'There was nothing to remove' : `Removed: ${removed.join(', ')}`,
      )
    }
    const programs = input.text('programs') ?? null
    const done = await upgradeEmbedded(input.env, { ...partsOf(input), programs })
    if (isJson) return console.log(JSON.stringify(done))
    if (done === null) return console.log('The database is of the PostgreSQL of this program already')
    console.log(`The database was brought from PostgreSQL ${done.from} to ${done.to}`)
    console.log(
      `The former one is kept in ${done.kept}; when all is well: stonechat database upgrade --confirm`,
    )
  },
}

const copy = (direction: 'in' | 'out'): Command => ({
  summary:
    direction === 'out'
      ? 'Copies the embedded database into the empty one at URL; DATABASE_URL without it'
      : 'Copies the database at URL into the embedded one, which has to be empty; DATABASE_URL without it',
  args: ['[URL]'],
  options: { force, json: jsonOption },
  async run(input) {
    const url = input.args[0] ?? input.env['DATABASE_URL']?.trim()
    if (!url) throw new UsageError('URL is missing, and DATABASE_URL is not set')
    if (!/^postgres(?:ql)?:\/\//.test(url)) throw new UsageError('URL has to begin with postgres://')
    const { copyEmbedded } = await import('#app/database/move.ts')
    const done = await copyEmbedded(input.env, {
      ...partsOf(input),
      url,
      direction,
      force: input.flag('force'),
    })
    if (input.flag('json')) return console.log(JSON.stringify(done))
    console.log(describe(done, direction))
  },
})

function describe({ rows, schema }: CopySummary, direction: 'in' | 'out'): string {
  const next =
    direction === 'out'
      ? 'Set DATABASE_URL to it and start the server; DATA_DIR keeps media, secrets, and the database as it was'
      : 'Take DATABASE_URL out of the environment and start the server'
  return `Copied: ${rows} rows, schema ${schema}\n${next}`
}

export const database: Group = {
  summary: 'Moves the database: to a newer PostgreSQL, to one outside, and back',
  commands: { export: copy('out'), import: copy('in'), upgrade },
}
