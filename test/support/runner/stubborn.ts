// What the samples of tests leave running.
import { once } from 'node:events'
import { inject } from 'vitest'
import { startProcess } from '#test/processes/processes.ts'

/** A process that has a child in a session of its own, and neither minds being asked to end. */
const stubborn = `
  process.on('SIGTERM', () => {})
  if (process.argv[1] === 'child') process.stdout.write('ready\\n')
  else require('node:child_process').spawn(process.execPath, [...process.execArgv, 'child'],
    { detached: true, env: {}, cwd: process.env.TMPDIR, stdio: 'inherit' })
  setInterval(() => {}, 1000)`

/** Starts it; resolves when both are there. */
export async function startStubborn(): Promise<void> {
  const child = startProcess(process.execPath, ['-e', stubborn], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
}

/** Tells whoever started the run of it. */
export function sayWhere(): void {
  process.stdout.write(
    `\nsample ${JSON.stringify({ runFolder: inject('runFolder'), worker: process.pid })}\n`,
  )
}
