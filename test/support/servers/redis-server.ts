import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runProcessSync, startProcess } from '#test/processes/processes.ts'

const hasRedis = ['redis-server', 'valkey-server'].find(
  (name) => runProcessSync(name, ['--version']).status === 0,
)

/** The program, where there is one. */
export const redisProgram = hasRedis ?? 'redis-server'

/** Why tests that need Redis cannot run here; null when they can. Continuous integration must have it. */
export const redisMissing =
  hasRedis || process.env['CI'] === 'true' ? null : 'neither redis-server nor valkey-server is installed'

export interface RedisServer {
  /** `unix:///…` */
  url: string
  /** Ends the process the hard way, as a crash would. */
  kill(): Promise<void>
  /** Starts it, empty, under the same URL. */
  start(): Promise<void>
  /** Ends it and removes its folder. */
  remove(): Promise<void>
}

/** Starts a Redis of its own on a socket in a new folder. */
export async function startRedis(): Promise<RedisServer> {
  if (!hasRedis) throw new Error('redis-server is not installed')
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-redis-'))
  const socket = path.join(folder, 'redis.sock')
  let child: ChildProcess | null = null
  const server: RedisServer = {
    url: `unix://${socket}`,
    async start() {
      const quiet = ['--save', '', '--appendonly', 'no', '--daemonize', 'no']
      child = startProcess(hasRedis, ['--port', '0', '--unixsocket', socket, '--dir', folder, ...quiet], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      for await (const chunk of child.stdout!) if (String(chunk).includes('eady to accept connections')) break
      if (!existsSync(socket)) throw new Error('redis-server did not start')
    },
    async kill() {
      if (!child) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      child = null
      await rm(socket, { force: true })
    },
    async remove() {
      await server.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}
