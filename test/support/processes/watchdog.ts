// A program that outlives whoever started it, to end what that one has left. `watchdog.ts FOLDER` clears the folder
// when its standard input closes, which the kernel does however the run has ended. Who connects to its socket and says
// the name of a folder has that one cleared when the connection closes: so do the processes in which tests run.
import { createServer } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { clearRunFolder } from './run-folder.ts'

/** The program, for whoever starts it. */
export const watchdogProgram = fileURLToPath(import.meta.url)
/** Where it listens. */
export const watchdogSocket = (folder: string) => path.join(folder, 'watchdog')

if (process.argv[1] === watchdogProgram) {
  const folder = process.argv[2] as string
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  const server = createServer((client) => {
    let place = ''
    client.setEncoding('utf8').on('data', (text: string) => {
      place += text
      if (text.endsWith('\n')) client.write('watching\n')
    })
    client.on('error', () => {})
    client.on('close', () => {
      if (place.trim().startsWith(`${folder}${path.sep}`)) void clearRunFolder(place.trim())
    })
  })
  server.listen(watchdogSocket(folder), () => process.stdout.write('watching\n'))
  process.stdin.resume().on('close', async () => {
    server.close()
    await clearRunFolder(folder)
    process.kill(process.pid)
  })
}
