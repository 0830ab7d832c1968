import { getLocalUser } from '#domain/identity/accounts/local-user.ts'
import { beginLocalArchive } from '#domain/transfer/portability/archive/archive-import.ts'
import { runLocalArchive } from '#domain/transfer/portability/archive/archive-run.ts'
import { getImportState, type ImportRow } from '#domain/transfer/portability/imports.ts'
import { source } from '#lib/messages/catalogue.ts'
import { describeKept } from '#lib/messages/keep-reason.ts'
import { basename } from 'node:path'
import type { Command } from '../kit/command.ts'
import { createProgress, type Progress } from '../kit/progress.ts'
import { withContext } from '../kit/with-context.ts'

/** `accounts import-archive NAME FILE` */
export const importArchive: Command = {
  summary: 'Imports the posts of an archive (.zip, .tar.gz) from another server, without telling anybody',
  args: ['NAME', 'FILE'],
  async run({ args, env }) {
    const [name, file] = args as [string, string]
    const { row, failures } = await withContext(env, async ({ ctx }) => {
      const { accountId } = await getLocalUser(ctx, name)
      const id = await beginLocalArchive(ctx, accountId, basename(file))
      await runLocalArchive(ctx, id, file, toProgress())
      return getImportState(ctx, id)
    })
    for (const { line, data, error } of failures) console.error(`${line}: ${data.uri ?? '-'}: ${tell(error)}`)
    if (row.state !== 'finished')
      throw new Error(row.error === null ? 'The import did not end' : tell(row.error))
    console.log(summaryOf(row))
  },
}

const tell = (kept: string) => describeKept(kept, source)

/** What is told as sums, as what is more each time. */
function toProgress() {
  let progress: Progress | undefined
  let before = 0
  return ({ processed, total }: { processed: number; total: number }) => {
    progress ??= createProgress({ label: 'Posts', total })
    progress.advance(processed - before)
    before = processed
    if (processed === total) progress.done()
  }
}

function summaryOf(row: ImportRow): string {
  const skipped = Object.values(row.skipped).reduce((sum, count) => sum + count, 0)
  const failed = row.processed_items - row.imported_items - skipped
  return `Imported ${row.imported_items}, skipped ${skipped}, failed to import ${failed}`
}
