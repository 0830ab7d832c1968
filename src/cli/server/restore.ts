import path from 'node:path'
import type { RestoreSummary } from '#app/backup/restore-backup.ts'
import { jsonOption, type Command, type Input } from '../kit/command.ts'
import { createProgress } from '../kit/progress.ts'
import { endOnSignals } from '../kit/signals.ts'
import { bytes } from '../kit/sizes.ts'

export const restore: Command = {
  summary: 'Makes the server of a backup, in an empty DATA_DIR and database',
  args: ['FILE'],
  options: {
    verify: { help: 'Only check the file, from end to end; exit code 1 when it is damaged' },
    resume: { help: 'Send what waited to be sent: the old server did nothing after the backup' },
    force: { help: 'Replace what is in the database and among the media' },
    json: jsonOption,
  },
  async run(input) {
    const file = path.resolve(input.args[0] as string)
    return input.flag('verify') ? check(file, input) : carryOut(file, input)
  },
}

const progressOf =
  ({ flag }: Input) =>
  (label: string, total?: number) =>
    createProgress({ label, total, json: flag('json') })

async function check(file: string, input: Input): Promise<void> {
  const { verifyBackup } = await import('#app/backup/verify-backup.ts')
  const { head, manifest } = await verifyBackup(file, progressOf(input))
  const { sums: _, ...counts } = manifest
  if (input.flag('json')) {
    const { tables: _tables, ...about } = head
    return console.log(JSON.stringify({ file, ...about, ...counts }))
  }
  console.log(
    `Whole: ${head.localDomain}, ${head.createdAt}, ${describe(manifest)}, schema ${head.schema}, Stonechat ${head.software}`,
  )
}

async function carryOut(file: string, input: Input): Promise<void> {
  const { restoreBackup } = await import('#app/backup/restore-backup.ts')
  endOnSignals(() => {}, 'the server is not whole; begin again, with --force')
  const summary = await restoreBackup(input.env, {
    file,
    force: input.flag('force'),
    resume: input.flag('resume'),
    progress: progressOf(input),
  })
  if (input.flag('json')) return console.log(JSON.stringify({ file, ...summary }))
  console.log(`Restored: ${describe(summary)}, as of ${summary.createdAt}`)
  if (summary.settled !== null) console.log(describeSettled(summary.settled))
}

function describe({ rows, media }: Pick<RestoreSummary, 'rows' | 'media'>): string {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  return `${total} rows, ${media.files} files of ${bytes(media.bytes)}`
}

function describeSettled({ deliveries, jobs, published }: NonNullable<RestoreSummary['settled']>): string {
  const left = `Taken as sent by the old server: ${deliveries} deliveries, ${jobs} mails and messages (--resume would send them)`
  return published === 0 ? left : `${left}; ${published} scheduled posts are published here only`
}
