// Writes down what this version asks of the database, for the versions after it: bin/node scripts/sql/former/record.ts
// [FOLDER], in the commit that makes a release. FOLDER is another checkout with the same schema; this one unless told.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { migrations } from '#db/migrations/index.ts'
import { withMigratedDatabase } from '../database.ts'
import { openProgram } from '../program.ts'
import { sampleNames } from '../samples.ts'
import { findStatements } from '../statements.ts'
import { readTables } from '../tables.ts'
import { describeAll, tablesOf, withMadeTables, writeFormer } from './former.ts'

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../../..'))

function readTexts(): string[] {
  const program = openProgram(root)
  try {
    const { statements, problems } = findStatements(program, sampleNames)
    if (problems.length > 0) throw new Error(`npm run check first: ${problems.join('\n')}`)
    return [...new Set(statements.map(({ text }) => text))].toSorted()
  } finally {
    program.close()
  }
}

async function newestOf(folder: string): Promise<number> {
  const { migrations: known } = await import(path.join(folder, 'src/db/migrations/index.ts'))
  return known.at(-1).number
}

const schema = migrations.at(-1)?.number ?? 0
if ((await newestOf(root)) !== schema) throw new Error(`${root} has another schema than ${schema}`)
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const texts = readTexts()
await withMigratedDatabase(process.env['DATABASE_URL'], async (client) => {
  const tables = tablesOf(await readTables(client))
  const statements = await withMadeTables(client, texts, () => describeAll(client, texts))
  writeFormer({ version, schema, statements, tables })
})
console.log(`${texts.length} statements of ${version} on schema ${schema} are written down`)
