// Redis as several processes: a master with a replica and a sentinel, or a cluster of three.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Redis } from 'ioredis'
import type { ClusterConfig, RedisTls, SentinelConfig } from '#config/redis.ts'
import { freePort } from '#test/processes/free-port.ts'
import { startProcess } from '#test/processes/processes.ts'
import { until } from '#test/run/patience.ts'
import { redisProgram } from './redis-server.ts'

interface Several<T> {
  redis: T & { tls?: RedisTls }
  remove(): Promise<void>
}

const tlsFile = (name: string) => path.join(import.meta.dirname, 'tls', name)
const authority = tlsFile('loopback-certificate.pem')

/** Takes nothing but encrypted connections, also between each other. */
const encrypted = (port: number) =>
  Object.entries({
    'tls-port': port,
    port: 0,
    'tls-cert-file': authority,
    'tls-key-file': tlsFile('loopback-key.pem'),
    'tls-ca-cert-file': authority,
    'tls-auth-clients': 'no',
    'tls-replication': 'yes',
    'tls-cluster': 'yes',
  }).flatMap(([name, value]) => [`--${name}`, String(value)])

const tlsOf = (isEncrypted: boolean) => (isEncrypted ? { tls: { caFile: authority } } : {})

/** Starts processes in a folder of their own. */
async function createProcesses(isEncrypted: boolean) {
  const ask = askBy(isEncrypted)
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-redis-several-'))
  const children: ChildProcess[] = []
  return {
    folder,
    ask,
    async start(port: number, ...args: string[]): Promise<ChildProcess> {
      const listening = isEncrypted ? encrypted(port) : ['--port', `${port}`]
      const usual = [...listening, '--bind', '127.0.0.1', '--dir', folder]
      const child = startProcess(redisProgram, [...args, ...usual], { stdio: 'ignore' })
      children.push(child)
      const answers = () => ask(port, 'ping').then(String, () => '')
      await until(
        async () => (await answers()) === 'PONG',
        () => `Redis on ${port}`,
      )
      return child
    },
    async remove() {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return
          const ended = once(child, 'exit')
          child.kill('SIGKILL')
          await ended
        }),
      )
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Ask = (port: number, command: string, ...args: string[]) => Promise<unknown>

const askBy =
  (isEncrypted: boolean): Ask =>
  async (port, command, ...args) => {
    const tls = isEncrypted ? { tls: { ca: readFileSync(authority) } } : {}
    const redis = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null, ...tls })
    redis.on('error', () => {})
    try {
      await redis.connect()
      return await redis.call(command, ...args)
    } finally {
      redis.disconnect()
    }
  }

/** A master, which can be killed once its replica has everything, and a sentinel that needs nobody's consent. */
export async function startWithSentinel({ isEncrypted = false } = {}): Promise<
  Several<SentinelConfig> & { killMaster(): Promise<void> }
> {
  const processes = await createProcesses(isEncrypted)
  const { ask } = processes
  const [first, second, port] = [await freePort(), await freePort(), await freePort()]
  const none = ['--save', '', '--repl-diskless-sync-delay', '0']
  const master = await processes.start(first, ...none)
  await processes.start(second, ...none, '--replicaof', `127.0.0.1 ${first}`)
  await until(
    async () => String(await ask(second, 'info', 'replication')).includes('master_link_status:up'),
    () => 'a replica',
  )
  const file = path.join(processes.folder, 'sentinel.conf')
  await writeFile(
    file,
    `sentinel monitor chat 127.0.0.1 ${first} 1
    sentinel down-after-milliseconds chat 2000
    sentinel failover-timeout chat 3000\n`,
  )
  await processes.start(port, file, '--sentinel')
  await until(
    async () => String(await ask(port, 'sentinel', 'replicas', 'chat')).includes(String(second)),
    () => 'a sentinel that knows the replica',
  )
  const nobody = { username: null, password: null }
  const sentinels = [{ host: '127.0.0.1', port }]
  return {
    redis: {
      kind: 'sentinel',
      sentinels,
      name: 'chat',
      database: 0,
      ...nobody,
      sentinelLogin: nobody,
      ...tlsOf(isEncrypted),
    },
    async killMaster() {
      const offsetOf = async (at: number, name: string) =>
        new RegExp(`^${name}:(\\d+)`, 'm').exec(String(await ask(at, 'info', 'replication')))?.[1]
      const isThere = async () =>
        (await offsetOf(first, 'master_repl_offset')) === (await offsetOf(second, 'slave_repl_offset'))
      await until(isThere, () => 'a replica that has everything')
      master.kill('SIGKILL')
    },
    remove: processes.remove,
  }
}

const slots = 16_384

export async function startCluster({ isEncrypted = false } = {}): Promise<Several<ClusterConfig>> {
  const processes = await createProcesses(isEncrypted)
  const { ask } = processes
  const busOf = async (port: number) =>
    String(await ask(port, 'config', 'get', 'cluster-port')).split(',')[1] ?? ''
  const ports: number[] = []
  for (let node = 0; node < 3; node++) {
    const [port, bus] = [await freePort(), await freePort()]
    const own = ['--cluster-config-file', `node${node}.conf`, '--cluster-port', `${bus}`]
    await processes.start(port, '--save', '', '--cluster-enabled', 'yes', ...own)
    const [from, to] = [node, node + 1].map((index) => Math.floor((index * slots) / 3))
    await ask(port, 'cluster', 'addslotsrange', `${from}`, `${Number(to) - 1}`)
    if (node > 0) await ask(port, 'cluster', 'meet', '127.0.0.1', `${ports[0]}`, await busOf(ports[0] ?? 0))
    ports.push(port)
  }
  for (const port of ports)
    await until(
      async () => String(await ask(port, 'cluster', 'info')).includes('cluster_state:ok'),
      () => 'a cluster of three',
    )
  const nodes = [{ host: '127.0.0.1', port: ports[0] ?? 0 }]
  return {
    redis: { kind: 'cluster', nodes, username: null, password: null, ...tlsOf(isEncrypted) },
    remove: processes.remove,
  }
}
