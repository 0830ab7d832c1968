// The one place where tests start processes. None outlives the file that started it, nor the process that ran the file:
// see watchdog.ts for the ways in which that can end.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { patience } from '#test/run/patience.ts'
import { createRunFolder, endProcessesOf, processesOf } from './run-folder.ts'
import { watchdogProgram, watchdogSocket } from './watchdog.ts'

declare global {
  /** The folder for temporary files of this process, which runs one test file after another. */
  var folderOfWorker: Promise<string> | undefined
}

/** As `spawn` of Node. The process ends with the test file at the latest. */
export const startProcess = ((program: string, args: readonly string[], options: { env?: object } = {}) =>
  spawn(program, args, { ...options, env: withFolder(options.env) })) as typeof spawn

/** As `spawnSync` of Node. */
export const runProcessSync = ((program: string, args: readonly string[], options: { env?: object } = {}) =>
  spawnSync(program, args, { ...options, env: withFolder(options.env) })) as unknown as typeof spawnSync

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a program to its end, with `input` as its standard input. One that does not end is killed. */
export async function runProcess(
  [program = '', ...args]: readonly string[],
  { env, cwd, input = '' }: { env?: Record<string, string>; cwd?: string; input?: string } = {},
): Promise<Ended> {
  const child = startProcess(program, args, { env, cwd, timeout: patience })
  const ended = { stdout: '', stderr: '' }
  child.stdout.on('data', (data) => (ended.stdout += data))
  child.stderr.on('data', (data) => (ended.stderr += data))
  // Many end without having read anything.
  child.stdin.on('error', () => {}).end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...ended }
}

const withFolder = (env: object = process.env) => ({ ...env, TMPDIR: tmpdir() })

/** Gives this process a temporary folder of its own, which is cleared when the process has ended, however it ends. */
export function useWorkerFolder(runFolder: string): Promise<string> {
  return (globalThis.folderOfWorker ??= claimFolder(runFolder))
}

async function claimFolder(runFolder: string): Promise<string> {
  const folder = createRunFolder('w-')
  process.env['TMPDIR'] = folder
  const socket = connect(watchdogSocket(runFolder))
  await once(socket, 'connect')
  socket.write(`${folder}\n`)
  await once(socket, 'data')
  socket.on('error', () => {}).unref()
  return folder
}

/** Ends what the test file has left running; throws an Error that names it. */
export async function endWithFile(folder: string): Promise<void> {
  // What was told to end may take a moment for it.
  for (const deadline = performance.now() + patience / 60; performance.now() < deadline; await sleep(50))
    if (processesOf(folder).length === 0) return
  const left = await endProcessesOf(folder)
  if (left.length === 0) return
  const names = left.map(({ name, pid }) => `${name} (${pid})`)
  throw new Error(`The tests of this file left processes running: ${names.join(', ')}`)
}

/** Starts the watchdog of a run. Whoever closes its standard input has the folder cleared. */
export async function startWatchdog(folder: string): Promise<{ stop(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, [watchdogProgram, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // A session of its own: Ctrl-C is not for it.
    detached: true,
    cwd: '/',
  })
  const ended = once(child, 'exit')
  await Promise.race([
    once(child.stdout!, 'data'),
    ended.then(([code]) => Promise.reject(new Error(`The watchdog ended: ${code}`))),
  ])
  child.unref()
  ;(child.stdin as Socket).unref()
  child.stdout!.destroy()
  return {
    async stop() {
      child.ref()
      child.stdin!.end()
      await ended
    },
  }
}
