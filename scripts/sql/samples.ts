import { keysQuery } from '#db/dump/media-keys.ts'
import type { Samples } from './statements.ts'

/** The tables with foreign keys to accounts, and all that a dump consists of, are asked of the database itself. */
export const sampleNames: Samples = {
  'src/domain/maintenance/deletion/prune-accounts.ts: table': ['follows'],
  'src/domain/maintenance/deletion/prune-accounts.ts: column': ['account_id'],
  'src/db/dump/tables.ts: pg.escapeIdentifier(name)': ['accounts'],
  "src/db/dump/tables.ts: columns.map(quoted).join(', ')": ['id, username'],
  "src/db/dump/load.ts: tables.map((table) => quoted(table.name)).join(', ')": ['accounts, users'],
  'src/db/dump/load.ts: table': ['accounts'],
  'src/db/dump/load.ts: name': ['accounts_pkey'],
  // Put together from the list of columns that hold keys.
  'src/db/dump/media-keys.ts: keysQuery': [keysQuery],
}
