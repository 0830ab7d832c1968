// Where a supervisor of processes is found by the command that has them replaced, and what came of that.
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDataDir } from '#lib/project/make-folder.ts'

interface State {
  readonly pid: number
  /** Rounds of replacing that have ended so far. */
  readonly rounds: number
  /** What came of the last one: null when all was replaced, otherwise why not. */
  readonly failure: string | null
  /** What the operator should know of it besides. */
  readonly warning: string | null
}

export type Outcome = Pick<State, 'failure' | 'warning'>

const fileIn = (dataDir: string) => path.join(dataDir, 'supervisor.json')
const pollEvery = 100

export interface SupervisorFile {
  /** Notes that a round of replacing has ended. */
  ended(outcome: Outcome): Promise<void>
  remove(): Promise<void>
}

/** Says in `dataDir` that this process supervises. */
export async function writeSupervisorFile(dataDir: string): Promise<SupervisorFile> {
  let state: State = { pid: process.pid, rounds: 0, failure: null, warning: null }
  const write = async () => {
    await writeFile(`${fileIn(dataDir)}.new`, `${JSON.stringify(state)}\n`)
    await rename(`${fileIn(dataDir)}.new`, fileIn(dataDir))
  }
  await makeDataDir(dataDir)
  await write()
  return {
    async ended(outcome) {
      state = { ...state, rounds: state.rounds + 1, ...outcome }
      await write()
    },
    remove: () => rm(fileIn(dataDir), { force: true }),
  }
}

/**
 * Has the supervisor of `dataDir` replace its processes, and waits until that is done. Returns what it warns of, or null.
 * Throws an Error of one line.
 */
export async function askForReplacement(dataDir: string): Promise<string | null> {
  const before = await readState(dataDir)
  if (before === null || !(await isSupervisor(before.pid)))
    throw new Error(
      `No \`stonechat supervise\` runs with DATA_DIR ${dataDir}: start it, or set DATA_DIR as it has it`,
    )
  process.kill(before.pid, 'SIGUSR2')
  for (;;) {
    await sleep(pollEvery)
    const now = await readState(dataDir)
    if (now?.pid !== before.pid) throw new Error('The supervisor ended meanwhile: look into its log')
    if (now.rounds > before.rounds && now.failure !== null) throw new Error(now.failure)
    // A supervisor of an earlier version says nothing.
    if (now.rounds > before.rounds) return now.warning ?? null
    if (!(await isSupervisor(before.pid)))
      throw new Error('The supervisor ended meanwhile: look into its log')
  }
}

async function readState(dataDir: string): Promise<State | null> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text === null ? null : (JSON.parse(text) as State)
}

/** A number alone may belong to anyone by now. */
async function isSupervisor(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return isAlive(pid)
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
  return words.includes('supervise') && !words.includes('restart')
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
