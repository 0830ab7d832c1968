// The commands in documents are run as they stand there, in their order, and the first posts by curl. What is run by
// something else, and why: scripts/documents/covered-by.ts.
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { useStreamingApp } from '#test/app/streaming-app.ts'
import { useCli } from '#test/processes/cli.ts'
import { runProcess, startProcess } from '#test/processes/processes.ts'
import { cleanEnv, launcher } from '#test/processes/server-process.ts'
import { redisMissing, startRedis } from '#test/servers/redis-server.ts'
import { commandsOf, listExamples, ownCommandIn } from '../../scripts/documents/examples.ts'
import { coveredCommands } from '../../scripts/documents/covered-by.ts'

const examples = listExamples()
const commands = examples
  .filter(({ language }) => language === 'sh')
  .flatMap(({ place, code }) =>
    commandsOf(code).map((line) => ({ place, line, words: ownCommandIn(line)?.words })),
  )
  .flatMap(({ place, words }) => (words === undefined ? [] : [{ place, words }]))
  .filter(
    ({ words }) => words[0] !== 'serve' && !coveredCommands.some(({ what }) => what.test(words.join(' '))),
  )

/** Commands that need what is not there say so, and not that they were not understood. */
const refused: readonly (readonly [RegExp, RegExp])[] = [
  [/^jobs (?:retry job-12|discard event-3)$/, /^Not in `jobs list`: /],
]

describe('commands in documents', () => {
  const cli = useCli({ beside: 'outside', env: { ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' } })
  let folder: string
  let lists: Server

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stonechat-documents-'))
    await writeFile(path.join(folder, 'blocks.csv'), '#domain,#severity\nspam.example,suspend\n')
    const rule = examples.find(({ language }) => language === 'json')
    await writeFile(path.join(folder, 'rule.json'), rule?.code ?? '')
    lists = createServer((_, answer) => answer.end('#domain,#severity\nloud.example,silence\n'))
    await once(lists.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(async () => {
    lists?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** What stands for a place of the reader's own. */
  async function ours(word: string, _: number, words: readonly string[]): Promise<string> {
    if (/^(?:blocks\.csv|rule\.json)$/.test(word)) return path.join(folder, word)
    if (word.startsWith('/backups/')) return path.join(folder, path.basename(word))
    if (word === 'https://example.org/list.csv')
      return `http://127.0.0.1:${(lists.address() as AddressInfo).port}/${words.at(-1)}.csv`
    if (word === '1234') return String((await cli.json<{ id: string }[]>('relays', 'list', '--json'))[0]?.id)
    return word
  }

  test('do what they are there for, each after the one before', async () => {
    expect(commands.length).toBeGreaterThan(30)
    const wrong: string[] = []
    const seen = new Set<string>()
    for (const { place, words } of commands) {
      const text = words.join(' ')
      if (seen.has(text)) continue
      seen.add(text)
      // Alice is there already.
      const own = await Promise.all(words.map(ours))
      const isAnother = place.startsWith('docs/developers/')
      const { code, stderr } = await cli.command(
        ...own.map((word) => (isAnother && word === 'alice' ? 'anna' : word)),
      )
      const expected = refused.find(([what]) => what.test(text))?.[1]
      const isRight =
        expected === undefined ? code === 0 : expected.test(stderr) && !stderr.includes('--help')
      if (!isRight) wrong.push(`${place}: ${text}: ${code} ${stderr}`)
    }
    expect(wrong).toEqual([])
  })

  test.skipIf(redisMissing !== null)('a worker of some queues alone starts', async () => {
    const queues = examples.flatMap(({ code }) => commandsOf(code)).find((line) => line.includes('--queues'))
    const redis = await startRedis()
    onTestFinished(() => redis.remove())
    const env = await cli.inDatabase(async ({ ctx }) => ({
      DATABASE_URL: ctx.config.databaseUrl ?? '',
      DATA_DIR: ctx.config.dataDir,
      REDIS_URL: redis.url,
      LOCAL_DOMAIN: 'chat.example',
    }))
    const worker = startProcess(launcher, ownCommandIn(queues ?? '')?.words ?? [], {
      env: cleanEnv(env),
      cwd: '/',
    })
    const ended = once(worker, 'exit')
    for await (const line of createInterface(worker.stdout!)) if (line.includes('"msg":"ready"')) break
    worker.stdout?.resume()
    worker.stderr?.resume()
    worker.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})

describe("the README's first post", () => {
  const app = useStreamingApp({ env: { LOCAL_DOMAIN: 'localhost' } })

  test('is made and read by curl', async () => {
    const alice = await app.person('alice')
    const block = examples.find(({ code }) => code.startsWith('token=$(bin/stonechat tokens create alice)'))
    const lines = commandsOf(block?.code ?? '').filter((line) => line.startsWith('curl '))
    expect(lines).toHaveLength(2)
    const script = ['set -eu', `token='${alice.token}'`, ...lines.map((line) => `${line}; echo`)].join('\n')
    const { code, stdout } = await runProcess(
      ['bash', '-c', script.replaceAll('http://localhost:3000', app.url).replaceAll('curl ', 'curl -sSf ')],
      { env: cleanEnv({}) },
    )
    const [post, home] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect([code, post.content, home[0]?.id]).toEqual([0, '<p>Hello!</p>', post.id])
  })
})
