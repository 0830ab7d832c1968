import type { UpgradeCheck } from '#app/database/upgrade-check.ts'
import { jsonOption, UsageError, type Command } from '../kit/command.ts'

export const upgrade: Command = {
  summary:
    'Tells what the first start of this program would migrate, and about how long that takes; changes nothing',
  options: { check: { help: 'What it does: migrations themselves are made by the start' }, json: jsonOption },
  async run(input) {
    if (!input.flag('check'))
      throw new UsageError('Add --check: the start of the server, or any other command, makes the migrations')
    const { checkUpgrade } = await import('#app/database/upgrade-check.ts')
    const found = await checkUpgrade(input.env)
    console.log(input.flag('json') ? JSON.stringify(found) : describe(found).join('\n'))
  },
}

function describe({ program, schema, postgres, migrations, seconds, sideBySide }: UpgradeCheck): string[] {
  const known = `Stonechat ${program} knows schema ${schema.program}, and brings forward any from ${schema.oldest} on`
  if (schema.database === null) return [known, 'The database is empty: the first start makes its tables']
  const found = `The database has schema ${schema.database} (PostgreSQL ${postgres})`
  if (schema.database > schema.program)
    return [known, found, 'It is of a newer Stonechat: this one may only work beside that one, if at all']
  if (migrations.length === 0) return [known, found, 'There is nothing to migrate']
  const rows = migrations.map(({ number, name, work, seconds: each }) => {
    const tables = work.map(({ table, rows: count }) => `${table} (${count} rows)`).join(', ')
    return `  ${number} ${name}: ${tables === '' ? 'a moment' : `goes through ${tables}, about ${each} s`}`
  })
  const end = sideBySide
    ? 'The program of the version before goes on working meanwhile and afterwards'
    : 'Stop the programs of the version before: they do not work with the new schema'
  return [known, found, `${migrations.length} migrations, about ${Math.max(1, seconds)} s:`, ...rows, end]
}
