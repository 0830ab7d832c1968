// PgBouncer before the cluster of the tests, by the example of docs/operators/postgresql.md.
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { once } from 'node:events'
import { freePort } from '#test/processes/free-port.ts'
import { runProcessSync, startProcess } from '#test/processes/processes.ts'
import { exampleOf } from './proxies.ts'

// Debian keeps it where only root looks.
const candidates = ['pgbouncer', '/usr/sbin/pgbouncer']
const found = candidates
  .map((program) => ({ program, said: runProcessSync(program, ['--version'], { encoding: 'utf8' }) }))
  .find(({ said }) => said.status === 0)
const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(found?.said.stdout ?? '') ?? []

/** Why tests that need it cannot run here; null when they can. Continuous integration must have it. */
export const pgbouncerMissing = found || process.env['CI'] === 'true' ? null : 'pgbouncer is not installed'
/** Whether it keeps prepared statements in transaction mode. */
export const keepsPrepared = Number(major) > 1 || Number(minor) >= 21

/** Starts one with two connections to the database of this address. Its own address is `url`. */
export async function startPgbouncer(databaseUrl: string): Promise<{ url: string; remove(): Promise<void> }> {
  if (!found) throw new Error('pgbouncer is not installed')
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-pgbouncer-'))
  const {
    username,
    password,
    pathname,
    hostname,
    searchParams,
    port: given,
  } = new URL(databaseUrl.replace('@/', '@localhost/'))
  const [name, host] = [pathname.slice(1), searchParams.get('host') ?? hostname]
  const port = await freePort()
  const example = await exampleOf('docs/operators/postgresql.md', '[databases]')
  const place = `host=${host} port=${searchParams.get('port') ?? given} dbname=${name} user=${username} password=${decodeURIComponent(password)}`
  const settings = example
    .replace('stonechat = host=127.0.0.1 port=5432 dbname=stonechat', `${name} = ${place}`)
    .replace('listen_port = 6432', `listen_port = ${port}`)
    .replace('default_pool_size = 20', 'default_pool_size = 2')
    .replace(/auth_type = .*\nauth_file = .*/, 'auth_type = any\nunix_socket_dir =')
    .replace(/max_prepared_statements.*/, (line) => (keepsPrepared ? line : ''))
  const file = path.join(folder, 'pgbouncer.ini')
  await writeFile(file, settings)
  // It refuses to be root: it is who may reach the socket of the database.
  const { uid } = host.startsWith('/') ? await stat(host) : { uid: process.getuid?.() ?? 0 }
  await chown(folder, uid, -1)
  const asOwner = process.getuid?.() === 0 ? ['setpriv', `--reuid=${uid}`, '--clear-groups'] : []
  const [program = '', ...args] = [...asOwner, found.program, file]
  const child = startProcess(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let printed = ''
  for await (const chunk of child.stderr!) {
    printed += chunk
    if (printed.includes('process up')) break
  }
  if (!printed.includes('process up')) throw new Error(`pgbouncer did not start: ${printed}`)
  return {
    url: `postgres://${username}@127.0.0.1:${port}/${name}?sslmode=disable`,
    async remove() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}
