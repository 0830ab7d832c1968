// Starting and stopping the real program, in all the ways in which that goes wrong.
import { access, chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import pg from 'pg'
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/start.ts'
import { quietLog } from '#test/app/log.ts'
import type { Person } from '#test/people/people.ts'
import { runProcessSync } from '#test/processes/processes.ts'
import {
  createServerProcess,
  projectRoot,
  runToEnd,
  type ServerProcess,
} from '#test/processes/server-process.ts'
import { isNight } from '#test/run/night.ts'

const cleanUp: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step()
})

async function newServer(options: Parameters<typeof createServerProcess>[0] = {}): Promise<ServerProcess> {
  const server = await createServerProcess(options)
  cleanUp.push(() => server.remove())
  return server
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-e2e-'))
  cleanUp.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe('one after another', () => {
  test('the first start makes a database and says how to go on; SIGTERM ends both; the second finds what was written', async () => {
    const server = await newServer()
    // It is ready a moment before it has said so.
    const greeted = () => expect.poll(server.output).toContain(`Stonechat serves ${server.url}\n`)
    await server.start()
    // It looks whether there is an owner before it has said all.
    await expect.poll(server.output).toContain(`open ${server.url}/auth/sign_in in a browser`)
    expect(server.output()).toContain(
      'bin/stonechat accounts create NAME --email YOU@EXAMPLE.ORG --confirmed --role Owner',
    )
    const setUp = /\S+\/setup\?token=\S+/.exec(server.output())?.[0] ?? ''
    expect((await fetch(setUp)).status).toBe(200)
    expect(server.output()).toMatch(
      new RegExp(
        `^Starting Stonechat .*\nMaking the database in ${server.dataDir}/postgres …\nMaking its tables …\n`,
      ),
    )
    expect(await server.databasePid()).not.toBeNull()
    const owner = await server.launch(
      'accounts',
      'create',
      'olga',
      '--email',
      'olga@mail.example',
      '--role',
      'Owner',
    )
    expect(owner.stdout).toMatch(/^New password: \S+$/m)
    expect(await server.end('SIGTERM')).toBe(0)
    expect(await server.databasePid()).toBeNull()

    await server.start()
    await greeted()
    expect(server.output()).not.toContain('accounts create')
    expect(server.output()).not.toContain('/setup')
    expect((await fetch(setUp)).status).toBe(404)
    expect(server.output()).not.toMatch(/Making|Bringing/)
    expect((await server.command('accounts', 'list')).stdout).toBe(
      'olga\tolga@mail.example\tOwner\tunconfirmed\n',
    )
    expect(await server.end('SIGINT')).toBe(0)
    expect(await server.databasePid()).toBeNull()
  })

  test('an older schema is told of before it is brought forward', async () => {
    const server = await newServer({ prepared: true })
    const database = await startEmbeddedPostgres({ dataDir: server.dataDir, log: quietLog })
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    // As if the newest had not been: whether it may be done twice does not matter here, only what is said before.
    const { rows } = await client.query('select max(number) as newest from schema_migrations')
    const newest = Number(rows[0].newest)
    await client.query('delete from schema_migrations where number = $1', [newest])
    await client.end()
    await database.stop()
    const output = await server.start().then(server.output, (error: Error) => error.message)
    expect(output).toContain(`Bringing the schema from ${newest - 1} to ${newest} …\n`)
  })

  test.runIf(isNight)('a signal while it starts leaves nothing behind', async () => {
    const server = await newServer()
    const started = server.start().catch(() => 'ended')
    await expect.poll(server.databasePid, { interval: 20 }).not.toBeNull()
    expect(await server.end('SIGTERM')).toBe(0)
    await started
    expect(await server.databasePid()).toBeNull()
  })

  test.runIf(isNight)('npm start passes the signal on', async () => {
    const server = await newServer({ prepared: true, command: ['npm', 'start'], cwd: projectRoot })
    await server.start()
    await server.end('SIGTERM')
    await expect.poll(server.databasePid).toBeNull()
    await expect(fetch(`${server.url}/health`)).rejects.toThrow()
  })
})

describe('a server that is at work', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await createServerProcess({ prepared: true, env: { LOG_LEVEL: 'info' } })
    await server.start()
  })
  afterAll(() => server?.remove())

  test('its log names the process and its roles in each line, and the place where it is reached', async () => {
    await fetch(`${server.url}/api/v2/instance`)
    const lines = () =>
      server
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
    const find = (msg: string) => lines().filter((line) => JSON.parse(line).msg === msg)
    const requests = () => find('request').filter((line) => JSON.parse(line).path === '/api/v2/instance')
    await expect.poll(() => requests().length).toBe(1)
    const [request] = requests()
    expect(JSON.parse(request as string)).toMatchObject({
      pid: server.pid(),
      roles: 'web,worker,streaming',
      path: '/api/v2/instance',
    })
    const [ready] = find('ready')
    expect(JSON.parse(ready as string)).toMatchObject({ address: server.url, port: server.port })
    for (const line of lines()) {
      expect(JSON.parse(line)).toMatchObject({ pid: server.pid(), roles: 'web,worker,streaming' })
      // JSON.parse takes the last of two of one name; other readers the first, or none.
      expect(line.match(/"roles":/g)).toHaveLength(1)
    }
  })

  test('a second one on the same folder is refused with a line on stderr and exit code 1, and it goes on', async () => {
    const second = await server.launch('serve')
    expect(second.code).toBe(1)
    expect(second.stderr).toMatch(
      /^Another Stonechat \(pid \d+\) already uses DATA_DIR \S+: stop it first.*\n$/,
    )
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })

  test('after kill -9 the database that was left running is taken over', async () => {
    const [person] = (await server.people('kim')) as [Person]
    const status = (await person.post('/api/v1/statuses', { status: 'before' })).ok()
    const leftover = await server.databasePid()
    await server.end('SIGKILL')
    expect(await server.databasePid()).toBe(leftover)
    await server.start()
    expect(await server.databasePid()).not.toBe(leftover)
    expect((await person.get(`/api/v1/statuses/${status.id}`)).ok().content).toBe('<p>before</p>')
  })
})

describe('refusals, each with a line on stderr and exit code 1', () => {
  test('a port that is taken, before anything is made', async () => {
    const dataDir = path.join(await newFolder(), 'data')
    const server = await newServer({ env: { DATA_DIR: dataDir } })
    const squatter: Server = createServer().listen(server.port, '127.0.0.1')
    cleanUp.push(async () => squatter.close())
    await once(squatter, 'listening')
    const ended = await server.launch('serve')
    expect(ended.stderr).toBe(`Port ${server.port} is taken: stop what listens there or set PORT\n`)
    expect(ended.code).toBe(1)
    await expect(access(dataDir)).rejects.toThrow('ENOENT')
  })

  test('bad settings, all of them at once [ROB-17]', async () => {
    const server = await newServer({ env: { PORT: '99999', LOG_LEVEL: 'loud', LOCAL_HTTPS: 'perhaps' } })
    const ended = await server.launch('serve', '--roles', 'web')
    expect(ended.code).toBe(1)
    const lines = ended.stderr.trim().split('\n')
    expect(lines).toHaveLength(3)
    expect(ended.stderr).toMatch(/^PORT is "99999"; allowed is a whole number from 1 to 65535$/m)
    expect(ended.stderr).toMatch(/^LOG_LEVEL is "loud"; allowed is /m)
    expect(ended.stderr).toMatch(/^LOCAL_HTTPS is "perhaps"; allowed is /m)
  })

  test.each([
    ['web,wokrer', /--roles is "web,wokrer"; allowed is /],
    ['worker', /DATABASE_URL is not set; .*\nREDIS_URL is not set; /],
  ])('roles that cannot be: %s', async (roles, line) => {
    const server = await newServer()
    const ended = await server.launch('serve', '--roles', roles)
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(line)
  })

  test('a database that a newer program has written', async () => {
    const server = await newServer({ prepared: true })
    const database = await startEmbeddedPostgres({ dataDir: server.dataDir, log: quietLog })
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query("insert into schema_migrations (number, name) values (9999, 'from-the-future')")
    await client.end()
    await database.stop()
    const ended = await server.launch('serve')
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(/^The database has schema 9999, this program knows only \d+: .*\n$/)
    expect(await server.databasePid()).toBeNull()
  })

  test('no dependencies', async () => {
    const folder = await newFolder()
    await cp(path.join(projectRoot, 'bin'), path.join(folder, 'bin'), { recursive: true })
    const ended = await runToEnd([path.join(folder, 'bin/stonechat'), 'serve'], { cwd: '/' })
    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: `stonechat: dependencies are missing: run 'npm ci' in ${folder}\n`,
    })
  })
})

describe('what npm 9 leaves of the dependencies', () => {
  /** The project with links to everything but `node_modules/.bin/node`, as npm 9 removes it. */
  async function withoutLinkToNode(): Promise<string> {
    const folder = await newFolder()
    const modules = path.join(folder, 'node_modules')
    await mkdir(path.join(modules, '.bin'), { recursive: true })
    const linkAll = async (from: string, to: string, except: string[]) => {
      for (const name of await readdir(from)) {
        if (!except.includes(name)) await symlink(path.join(from, name), path.join(to, name))
      }
    }
    await cp(path.join(projectRoot, 'bin'), path.join(folder, 'bin'), { recursive: true })
    await linkAll(projectRoot, folder, ['bin', 'node_modules', '.git', 'data'])
    await linkAll(path.join(projectRoot, 'node_modules'), modules, ['.bin', '.cache'])
    await linkAll(path.join(projectRoot, 'node_modules/.bin'), path.join(modules, '.bin'), ['node'])
    return folder
  }

  test.each([
    ['bin/node', ['bin/node', '--version'], new RegExp(`^${RegExp.escape(process.version)}\n$`)],
    ['bin/stonechat', ['bin/stonechat', 'version'], /^Stonechat \d/],
    ['npm start, to its help', ['npm', 'start', '--', '--help'], /Usage: stonechat serve/],
    // Of no file, so that this ends at once.
    ['npm test', ['npm', 'test', '--', 'no/such.test.ts', '--passWithNoTests'], /No test files found/],
  ])('%s runs on the pinned Node', async (_name, command, output) => {
    const folder = await withoutLinkToNode()
    const ended = await runToEnd(command, { cwd: folder })
    expect(ended.stdout).toMatch(output)
    expect(ended.code).toBe(0)
  })
})

describe('whoever starts it, from wherever', () => {
  test('through symbolic links, relative ones too', async () => {
    const folder = await newFolder()
    await mkdir(path.join(folder, 'a'))
    await symlink(path.join(projectRoot, 'bin/stonechat'), path.join(folder, 'a/direct'))
    await symlink('a/direct', path.join(folder, 'indirect'))
    const ended = await runToEnd(['./indirect', '--help'], { cwd: folder })
    expect(ended.stderr).toBe('')
    expect(ended.stdout).toMatch(/^Usage: stonechat COMMAND/)
  })

  const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
  const reachable = () =>
    runProcessSync(nobody[0] as string, [
      ...nobody.slice(1),
      'test',
      '-x',
      path.join(projectRoot, 'bin/stonechat'),
    ])
  const isRoot = process.getuid?.() === 0
  // An ordinary user runs all of the above as one; root has to become one here.
  const impossible = isRoot && reachable().status !== 0

  test.skipIf(!isRoot || impossible || !isNight)('as an ordinary user when root runs the tests', async () => {
    const server = await newServer({ wrap: nobody, cwd: tmpdir() })
    await chown(server.dataDir, 65_534, 65_534)
    await chmod(server.dataDir, 0o700)
    await server.start()
    const pid = await server.databasePid()
    expect(await readFile(`/proc/${pid}/status`, 'utf8')).toMatch(/^Uid:\t65534\t65534/m)
    // The root account may look after it too.
    const asRoot = await runToEnd([path.join(projectRoot, 'bin/stonechat'), 'accounts', 'list', '--json'], {
      env: { DATA_DIR: server.dataDir },
    })
    expect(asRoot).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
    expect(await server.end('SIGTERM')).toBe(0)
    expect(await server.databasePid()).toBeNull()
  })
})
