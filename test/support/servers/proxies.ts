// Proxies with the examples that the documents give to operators.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { openListener, type Listener } from '#test/app/streaming-app.ts'
import { runProcessSync, startProcess } from '#test/processes/processes.ts'
import { freePort } from '#test/processes/free-port.ts'
import { projectRoot } from '#test/processes/server-process.ts'

export type ProxyProgram = 'nginx' | 'caddy' | 'apache2' | 'haproxy'

/** The name in the examples. */
export const exampleName = 'chat.example.org'
const tls = path.join(import.meta.dirname, 'tls')

/** Why tests that need the program cannot run here; null when they can. Continuous integration must have it. */
export const proxyMissing = (program: ProxyProgram): string | null =>
  runProcessSync(program, [program === 'caddy' ? 'version' : '-v']).status === 0 ||
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

const apacheModules = '/usr/lib/apache2/modules'

/** A whole configuration of Apache around an example. What Debian's own configuration loads is loaded here. */
async function writeApache(example: string, folder: string, ports: Ports & { 443: number }): Promise<string> {
  const site = replacePorts(example, ports)
    .replace('*:443', `127.0.0.1:${ports[443]}`)
    .replace(/SSLCertificateFile .*/, `SSLCertificateFile ${tls}/certificate.pem`)
    .replace(/SSLCertificateKeyFile .*/, `SSLCertificateKeyFile ${tls}/key.pem`)
  const modules = ['mpm_event', 'authz_core', 'filter', 'ssl', 'proxy', 'proxy_http', 'headers', 'deflate']
  const file = path.join(folder, 'apache.conf')
  await writeFile(
    file,
    `ServerRoot ${folder}
    ServerName ${exampleName}
    PidFile ${folder}/apache.pid
    DefaultRuntimeDir ${folder}
    ErrorLog "||/bin/cat"
    Listen 127.0.0.1:${ports[443]}
    ${modules.map((name) => `LoadModule ${name}_module ${apacheModules}/mod_${name}.so`).join('\n')}
    ${site}\n`,
  )
  return file
}

async function writeHaproxy(
  example: string,
  folder: string,
  ports: Ports & { 443: number },
): Promise<string> {
  const both = ['certificate.pem', 'key.pem'].map((name) => readFile(path.join(tls, name), 'utf8'))
  await writeFile(path.join(folder, 'both.pem'), (await Promise.all(both)).join(''))
  const site = replacePorts(example, ports)
    .replace('bind :443', `bind 127.0.0.1:${ports[443]}`)
    .replace(/crt \S+/, `crt ${folder}/both.pem`)
  const file = path.join(folder, 'haproxy.cfg')
  await writeFile(file, `global\n  maxconn 200\n${site}`)
  return file
}

type Write = (example: string, folder: string, ports: Ports & { 443: number }) => Promise<string>

/** How each program is given a configuration, and started with it in the foreground. */
const programs: Record<ProxyProgram, { write: Write; args: (file: string) => string[] }> = {
  nginx: { write: writeNginx, args: (file) => ['-c', file] },
  caddy: { write: writeCaddy, args: (file) => ['run', '--adapter', 'caddyfile', '--config', file] },
  apache2: { write: writeApache, args: (file) => ['-D', 'FOREGROUND', '-f', file] },
  haproxy: { write: writeHaproxy, args: (file) => ['-db', '-q', '-f', file] },
}

/** What nginx says of a configuration. */
export function checkNginx(file: string): { status: number | null; said: string } {
  const { status, stderr } = runProcessSync('nginx', ['-t', '-q', '-c', file], { encoding: 'utf8' })
  return { status, said: stderr }
}

export interface RunningProxy {
  /** As a browser would ask `https://chat.example.org`. */
  fetch(target: string, init?: RequestInit): Promise<Response>
  /** An open stream of this person. */
  listen(token: string): Promise<Listener>
  /** What it has printed. */
  output(): string
  stop(): Promise<void>
}

/** Starts a proxy with an example of the documents, and waits until `/health` answers `begun`. */
export async function startProxy(
  program: ProxyProgram,
  example: string,
  ports: Ports,
  { begun = 200 } = {},
): Promise<RunningProxy> {
  const folder = await mkdtemp(path.join(tmpdir(), `stonechat-${program}-`))
  const port = await freePort()
  const { write, args } = programs[program]
  const file = await write(example, folder, { ...ports, 443: port })
  const child = startProcess(program, args(file), { env: { ...process.env, HOME: folder } })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data))
  const ca = await readFile(path.join(tls, 'certificate.pem'), 'utf8')
  const lookup = (_name: string, _options: object, done: (error: null, found: object[]) => void) =>
    done(null, [{ address: '127.0.0.1', family: 4 }])
  const dispatcher = new Agent({ allowH2: false, connect: { ca, lookup: lookup as never } })
  const origin = `${program === 'caddy' ? 'http' : 'https'}://${exampleName}:${port}`
  const ask = (target: string, init?: RequestInit) =>
    fetch(new URL(target, origin), { ...(init as object), dispatcher }) as unknown as Promise<Response>
  await untilListening(
    child,
    async () => (await ask('/health')).status === begun,
    () => printed,
  )
  return {
    fetch: ask,
    listen: (token) =>
      openListener(`${origin.replace('http', 'ws')}/api/v1/streaming?access_token=${token}&stream=user`, [], {
        ca,
        ...({ lookup } as object),
      }),
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

async function untilListening(child: ChildProcess, isReady: () => Promise<boolean>, printed: () => string) {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The proxy ended: ${printed()}`)
    if (await isReady().catch(() => false)) return
    await sleep(50)
  }
}
