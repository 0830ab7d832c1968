import type { Samples } from './statements.ts'

/** The tables with foreign keys to accounts are asked of the database itself. */
export const sampleNames: Samples = {
  'src/domain/maintenance/deletion/prune-accounts.ts: table': ['follows'],
  'src/domain/maintenance/deletion/prune-accounts.ts: column': ['account_id'],
}
