import { getLocalUser } from '#domain/accounts/local-user.ts'
import { beginLocalArchive } from '#domain/portability/archive-import.ts'
import { runLocalArchive } from '#domain/portability/archive-run.ts'
import { getImportState, type ImportRow } from '#domain/portability/imports.ts'
import { basename } from 'node:path'
import type { Command } from './command.ts'
import { withContext } from './with-context.ts'

/** `accounts import-archive NAME FILE` */
export const importArchive: Command = {
  summary: 'Imports the posts of an archive (.zip, .tar.gz) from another server, without telling anybody',
  args: ['NAME', 'FILE'],
  async run({ args, env }) {
    const [name, file] = args as [string, string]
    const { row, failures } = await withContext(env, async ({ ctx }) => {
      const { accountId } = await getLocalUser(ctx, name)
      const id = await beginLocalArchive(ctx, accountId, basename(file))
      const show = createProgress()
      await runLocalArchive(ctx, id, file, show)
      return getImportState(ctx, id)
    })
    for (const { line, data, error } of failures) console.error(`${line}: ${data.uri ?? '-'}: ${error}`)
    if (row.state !== 'finished') throw new Error(row.error ?? 'The import did not end')
    console.log(summaryOf(row))
  },
}

/** A line for every hundred posts, where somebody looks on. */
function createProgress() {
  return ({ processed, total }: { processed: number; total: number }) => {
    if (process.stderr.isTTY && processed % 100 === 0) process.stderr.write(`\r${processed} of ${total}`)
  }
}

function summaryOf(row: ImportRow): string {
  const skipped = Object.values(row.skipped).reduce((sum, count) => sum + count, 0)
  const failed = row.processed_items - row.imported_items - skipped
  return `Imported ${row.imported_items}, skipped ${skipped}, failed to import ${failed}`
}
