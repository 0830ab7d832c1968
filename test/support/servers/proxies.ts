// nginx and Caddy with the examples that the documents give to operators.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { runProcessSync, startProcess } from '#test/processes/processes.ts'
import { freePort, projectRoot } from '#test/processes/server-process.ts'

/** The name in the examples. */
export const exampleName = 'chat.example.org'
const tls = path.join(import.meta.dirname, 'tls')

/** Why tests that need the program cannot run here; null when they can. Continuous integration must have it. */
export const proxyMissing = (program: 'nginx' | 'caddy'): string | null =>
  runProcessSync(program, [program === 'nginx' ? '-v' : 'version']).status === 0 ||
  process.env['CI'] === 'true'
    ? null
    : `${program} is not installed`

/** The first block of a document that begins with this, without its fence. */
export async function exampleOf(document: string, begin: string): Promise<string> {
  const text = await readFile(path.join(projectRoot, document), 'utf8')
  const block = [...text.matchAll(/^```\w*\n(.*?)^```$/gms)].find(([, code]) => code?.startsWith(begin))
  if (!block) throw new Error(`${document} has no example that begins with ${begin}`)
  return block[1] as string
}

/** Ports of the examples → ports of the test. */
export type Ports = Readonly<Record<string, number>>

const replacePorts = (text: string, ports: Ports): string =>
  Object.entries(ports).reduce(
    (all, [from, to]) => all.replaceAll(`127.0.0.1:${from}`, `127.0.0.1:${to}`),
    text,
  )

/** A whole configuration of nginx around an example, in `folder`. */
export async function writeNginx(
  example: string,
  folder: string,
  ports: Ports & { 443: number },
): Promise<string> {
  const server = replacePorts(example, ports)
    .replace(/listen 443 (.*);/, `listen 127.0.0.1:${ports[443]} $1;`)
    .replace(/listen \[::\]:443 .*;/, '')
    .replace(/ssl_certificate .*;/, `ssl_certificate ${tls}/certificate.pem;`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${tls}/key.pem;`)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const file = path.join(folder, 'nginx.conf')
  await writeFile(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr warn; worker_processes 1;
    events {}
    http {
      access_log off;
      ${places.map((place) => `${place}_temp_path ${folder}/${place};`).join('\n')}
      ${server}
    }\n`,
  )
  return file
}

async function writeCaddy(example: string, folder: string, ports: Ports & { 443: number }): Promise<string> {
  const file = path.join(folder, 'Caddyfile')
  const site = replacePorts(example, ports).replace(exampleName, `http://${exampleName}:${ports[443]}`)
  await writeFile(file, `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
  return file
}

/** What nginx says of a configuration. */
export function checkNginx(file: string): { status: number | null; said: string } {
  const { status, stderr } = runProcessSync('nginx', ['-t', '-q', '-c', file], { encoding: 'utf8' })
  return { status, said: stderr }
}

export interface RunningProxy {
  /** As a browser would ask `https://chat.example.org`. */
  fetch(target: string, init?: RequestInit): Promise<Response>
  /** What it has printed. */
  output(): string
  stop(): Promise<void>
}

/** Starts a proxy with an example of the documents, and waits until it listens. */
export async function startProxy(
  program: 'nginx' | 'caddy',
  example: string,
  ports: Ports,
): Promise<RunningProxy> {
  const folder = await mkdtemp(path.join(tmpdir(), `stonechat-${program}-`))
  const port = await freePort()
  const write = program === 'nginx' ? writeNginx : writeCaddy
  const file = await write(example, folder, { ...ports, 443: port })
  const args = program === 'nginx' ? ['-c', file] : ['run', '--adapter', 'caddyfile', '--config', file]
  const child = startProcess(program, args, { env: { ...process.env, HOME: folder } })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data))
  const ca = await readFile(path.join(tls, 'certificate.pem'), 'utf8')
  const lookup = (_name: string, _options: object, done: (error: null, found: object[]) => void) =>
    done(null, [{ address: '127.0.0.1', family: 4 }])
  const dispatcher = new Agent({ allowH2: false, connect: { ca, lookup: lookup as never } })
  const origin = `${program === 'nginx' ? 'https' : 'http'}://${exampleName}:${port}`
  const ask = (target: string, init?: RequestInit) =>
    fetch(new URL(target, origin), { ...(init as object), dispatcher }) as unknown as Promise<Response>
  await untilListening(
    child,
    () => ask('/health'),
    () => printed,
  )
  return {
    fetch: ask,
    output: () => printed,
    async stop() {
      await dispatcher.destroy()
      const ended = once(child, 'exit')
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await ended
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilListening(child: ChildProcess, ask: () => Promise<Response>, printed: () => string) {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The proxy ended: ${printed()}`)
    const answer = await ask().catch(() => null)
    if (answer?.status === 200) return
    await sleep(50)
  }
}
