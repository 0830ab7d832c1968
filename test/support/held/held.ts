// How much memory a piece of work holds on to. In a process of its own: in that of the tests, what others have left is
// larger than what is to be seen, and looking through all of it takes longer than the work.
import { fileURLToPath } from 'node:url'
import { runProcess } from '#test/processes/processes.ts'

const program = fileURLToPath(new URL('program.ts', import.meta.url))

export interface Watch {
  /** What is loaded and was read until now does not count. */
  begin(): void
  /** Besides some looks every second. */
  look(): void
}

/** What a module in this folder exports as `work`: it takes its input as JSON. */
export type Work = (input: never, watch: Watch) => Promise<unknown>

export interface Held<Result> {
  /** The most bytes that were in use at a time, more than when it began; garbage is none. */
  bytes: number
  result: Result
}

/** Does the work of `module`, a file in this folder. Throws an Error when it fails. */
export async function heldBy<Result>(module: string, input: object): Promise<Held<Result>> {
  // With threads of its own, the collector may tell of what it is about to give back.
  const command = [
    process.execPath,
    '--expose-gc',
    '--single-threaded-gc',
    program,
    module,
    JSON.stringify(input),
  ]
  const { code, stdout, stderr } = await runProcess(command)
  if (code !== 0) throw new Error(`${module} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as Held<Result>
}
