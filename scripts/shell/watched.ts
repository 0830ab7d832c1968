// Runs a script in a folder that ends with it, as with all that knows the folder by its environment: `watched.ts SCRIPT
// [ARGUMENT …]`, called by watched.sh. The exit code is the script's.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import process from 'node:process'
import { withWatchedFolder } from '#test/processes/watched-folder.ts'

/** Not in memory: whole systems are unpacked there. */
const parent = process.env['TMPDIR'] || '/var/tmp'
const ends = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

async function run(folder: string): Promise<number> {
  const child = spawn('bash', process.argv.slice(2), {
    stdio: 'inherit',
    env: { ...process.env, WATCHED_FOLDER: folder },
  })
  const told = ends.map((signal) => once(process, signal).then(() => [null, signal] as const))
  // Bash would first wait for what it runs: that ends with the folder.
  const [code, signal] = await Promise.race([once(child, 'exit'), ...told])
  return code ?? 128 + constants.signals[signal as NodeJS.Signals]
}

process.exitCode = await withWatchedFolder('stonechat-watched-', run, parent)
