// Commands that are told to end, or whose reader has gone, at whatever moment.
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '#test/run/patience.ts'
import { startProcess } from '#test/processes/processes.ts'
import { processesOf } from '#test/processes/run-folder.ts'
import {
  cleanEnv,
  createServerProcess,
  launcher,
  runToEnd,
  type ServerProcess,
} from '#test/processes/server-process.ts'
import { isNight } from '#test/run/night.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await createServerProcess()
})
afterAll(() => server?.remove())

const env = (more: Record<string, string> = {}) =>
  cleanEnv({ DATA_DIR: server.dataDir, PORT: String(server.port), ...more })

const postmaster = () => {
  try {
    return readFileSync(path.join(server.dataDir, 'postgres/postmaster.pid'), 'utf8')
  } catch {
    return ''
  }
}

interface Interrupted {
  code: number | null
  stdout: string
  stderr: string
}

/** Starts a command, and has it told to end as soon as `moment` has come. */
async function interrupt(
  words: string[],
  signal: 'SIGINT' | 'SIGTERM',
  moment: (said: string) => unknown,
): Promise<Interrupted> {
  const child = startProcess(launcher, words, { env: env(), cwd: '/', detached: true })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (data) => (said.stdout += data))
  child.stderr.on('data', (data) => (said.stderr += data))
  const ended = once(child, 'close') as Promise<[number | null]>
  const check = () => {
    if (child.exitCode !== null) throw new Error(`It ended before that: ${said.stdout}${said.stderr}`)
    return moment(said.stdout)
  }
  await until(check, () => `the moment (${said.stdout}${said.stderr})`, { interval: 1 })
  // Ctrl-C at a terminal is for all that was started there; a service manager or `kill` tells one process.
  process.kill(signal === 'SIGINT' ? -(child.pid as number) : (child.pid as number), signal)
  const [code] = await ended
  return { code, ...said }
}

const inDataDir = (begin: string) => readdirSync(server.dataDir).find((name) => name.startsWith(begin))
const isInitdbUnderWay = () => {
  const folder = inDataDir('postgres.init-')
  return folder !== undefined && readdirSync(path.join(server.dataDir, folder)).length > 0
}
const isReady = () => /^ready/m.test(postmaster())

// In this order: each goes on from what the one before it has left, so each shows that the next command works.
const moments: [string, 'SIGINT' | 'SIGTERM', () => unknown][] = [
  ['DATA_DIR is taken', 'SIGINT', () => inDataDir('stonechat.lock')],
  ['the database is made', 'SIGINT', isInitdbUnderWay],
  ['the database is made', 'SIGTERM', isInitdbUnderWay],
  ['the database starts for the first time', 'SIGINT', () => postmaster() !== ''],
  ['its tables are made', 'SIGTERM', isReady],
  ['the database starts again', 'SIGINT', () => postmaster() !== ''],
]

const leavesNothing = async () => {
  await until(
    () => processesOf(server.dataDir).length === 0,
    () => `the end of ${JSON.stringify(processesOf(server.dataDir))}`,
  )
  expect(postmaster()).toBe('')
  expect(inDataDir('postgres.init-')).toBeUndefined()
}

describe('one that is interrupted leaves no process and nothing half made', () => {
  // By day where most is half made.
  const tried = isNight ? moments : moments.filter((_, index) => index % 3 === 1)
  test.each(tried)('a command, when %s (%s)', async (_, signal, moment) => {
    const ended = await interrupt(['accounts', 'list'], signal, moment)
    expect(ended).toEqual({
      code: signal === 'SIGINT' ? 130 : 143,
      stdout: '',
      stderr: 'Interrupted: what was done until now stays\n',
    })
    await leavesNothing()
  })

  test('the server, when the database is made, which it finishes', async () => {
    await rm(path.join(server.dataDir, 'postgres'), { recursive: true })
    const ended = await interrupt(['serve'], 'SIGINT', isInitdbUnderWay)
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    await leavesNothing()
  })

  test('and the next one works', async () => {
    expect(await server.launch('accounts', 'list')).toEqual({ code: 0, stdout: '', stderr: '' })
  })
})

describe('one whose output goes nowhere', () => {
  const shell = (line: string) =>
    runToEnd(['bash', '-c', `set -o pipefail; stonechat() { "${launcher}" "$@"; }; ${line}`], { env: env() })

  test('to a reader who has seen enough, ends in peace', async () => {
    await server.command('accounts', 'create', 'ada', '--email', 'ada@mail.example', '--confirmed')
    expect(await shell('stonechat --help | head -n 1')).toEqual({
      code: 0,
      stdout: 'Usage: stonechat COMMAND\n',
      stderr: '',
    })
    expect(await shell('stonechat accounts list | true')).toEqual({ code: 0, stdout: '', stderr: '' })
    await leavesNothing()
  })

  test('to a full disk, or a backup to a reader who goes away, says so and fails', async () => {
    expect(await shell('stonechat accounts list > /dev/full')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The disk is full: make room, or give another place\n',
    })
    expect(await shell('stonechat backup - | true')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Who was to read this has gone before all of it was written\n',
    })
    await leavesNothing()
  })
})
