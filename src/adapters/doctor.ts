// Runs `stonechat doctor` as a process of its own: what it looks at may hang, and its work is not that of who serves.
import { execFile } from 'node:child_process'
import { unavailable } from '#lib/errors.ts'
import { programFile } from '#lib/project/project.ts'
import type { Doctor, Finding } from '#ports/doctor.ts'

const program = programFile('main')
/** Milliseconds; each check ends by itself before that. */
const patience = 60_000

/** `env`: of the process, which says what is looked at. */
export function createDoctor(env: NodeJS.ProcessEnv): Doctor {
  let running: Promise<readonly Finding[]> | null = null
  return {
    check: () => (running ??= run(env).finally(() => (running = null))),
  }
}

function run(env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Finding[]>()
  // It exits with 1 when it has found a problem: what it printed counts.
  execFile(process.execPath, [program, 'doctor', '--json'], { env, timeout: patience }, (_, printed) => {
    try {
      resolve(JSON.parse(printed) as Finding[])
    } catch (cause) {
      reject(unavailable('doctor_failed', undefined, { cause }))
    }
  })
  return promise
}
