import { rmSync } from 'node:fs'
import path from 'node:path'
import type { BackupSummary } from '#app/backup/write-backup.ts'
import { jsonOption, type Command, type Input } from '../kit/command.ts'
import { createProgress } from '../kit/progress.ts'
import { endOnSignals } from '../kit/signals.ts'
import { bytes } from '../kit/sizes.ts'

export const backup: Command = {
  summary: 'Writes everything, database, media and keys, into one file; the server may run',
  args: ['FILE'],
  options: {
    'without-media': { help: 'Leave out all media: bring them to the new place yourself' },
    'without-media-cache': { help: "Leave out copies of other servers' files: they are fetched again" },
    force: { help: 'Replace FILE if it is there' },
    json: jsonOption,
  },
  async run(input) {
    const file = input.args[0] === '-' ? null : path.resolve(input.args[0] as string)
    const { unfinishedName, writeBackup } = await import('#app/backup/write-backup.ts')
    endOnSignals(
      () => file !== null && rmSync(unfinishedName(file), { force: true }),
      'there is no backup; begin again',
    )
    const begun = performance.now()
    const summary = await writeBackup(input.env, {
      file,
      overwrite: input.flag('force'),
      media: chooseMedia(input),
      progress: (label, total) => createProgress({ label, total, json: input.flag('json') }),
    })
    const text = input.flag('json')
      ? JSON.stringify({ file, ...summary, seconds: seconds(begun) })
      : describe(file, summary)
    // Where the backup itself goes to stdout, nothing else may.
    if (file === null) process.stderr.write(`${text}\n`)
    else console.log(text)
  },
}

function chooseMedia({ flag }: Input) {
  if (flag('without-media')) return 'none'
  return flag('without-media-cache') ? 'own' : 'all'
}

const seconds = (begun: number) => Math.round((performance.now() - begun) / 100) / 10

function describe(file: string | null, { rows, media, bytes: size }: BackupSummary): string {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  const missing = media.missing === 0 ? '' : ` (${media.missing} that rows name were not there)`
  return [
    `Backed up: ${total} rows, ${media.files} files${missing}, ${bytes(size)}${file === null ? '' : ` in ${file}`}`,
    'Keep it as secret as the server: it has private keys, hashes of passwords and everything that people wrote',
  ].join('\n')
}
