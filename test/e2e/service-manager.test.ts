// What a service manager gets and gives: signs of readiness and life, and a socket that outlives the process.
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { often } from '#test/run/patience.ts'
import { startProcess } from '#test/processes/processes.ts'
import { freePort } from '#test/processes/free-port.ts'
import { cleanEnv, launcher, runToEnd } from '#test/processes/server-process.ts'

/**
 * In the place of systemd: listens without ever accepting, which Node cannot, and runs the command so many times with
 * that socket as descriptor 3.
 */
const manager = `
use Socket; use POSIX ();
my ($port, $times, @command) = @ARGV;
socket(S, PF_INET, SOCK_STREAM, 0) && setsockopt(S, SOL_SOCKET, SO_REUSEADDR, 1) or die $!;
bind(S, sockaddr_in($port, INADDR_LOOPBACK)) && listen(S, 128) or die $!;
if (fileno(S) == 3) { fcntl(S, 2, 0) } else { POSIX::dup2(fileno(S), 3) }
for (1 .. $times) { exit 1 if system @command }`

describe('a server under a service manager', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stonechat-service-'))
    const program = path.join(folder, 'systemd-notify')
    await writeFile(program, `#!/bin/sh\necho "$1" >>"$NOTIFY_SOCKET"\n`)
    await chmod(program, 0o755)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const told = () => readFile(path.join(folder, 'told'), 'utf8').catch(() => '')
  const toldTimes = async (line: string) => (await told()).split('\n').filter((one) => one === line).length

  function start({ port, socket = port, times = 1 }: { port: number; socket?: number; times?: number }) {
    const env = cleanEnv({
      PATH: `${folder}:${process.env['PATH']}`,
      DATA_DIR: path.join(folder, 'data'),
      PORT: String(port),
      NOTIFY_SOCKET: path.join(folder, 'told'),
      WATCHDOG_USEC: '300000',
    })
    const serve = 'LISTEN_PID=$$ WATCHDOG_PID=$$ LISTEN_FDS=1 exec "$0" serve'
    const command = ['sh', '-c', serve, launcher]
    return startProcess('perl', ['-e', manager, String(socket), String(times), ...command], {
      env,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  }

  test('connections wait while it starts and while it is restarted, and none is refused', async () => {
    const port = await freePort()
    const running = start({ port, times: 2 })
    const ended = once(running, 'exit')
    const url = `http://127.0.0.1:${port}/health`
    await expect.poll(() => toldTimes('READY=1'), often).toBe(1)
    await expect.poll(() => toldTimes('WATCHDOG=1'), often).toBeGreaterThan(1)
    const pid = Number(await readFile(path.join(folder, 'data', 'stonechat.pid'), 'utf8'))
    process.kill(pid, 'SIGTERM')
    await expect.poll(() => toldTimes('STOPPING=1'), often).toBe(1)
    const answers: string[] = []
    while ((await toldTimes('READY=1')) < 2) answers.push(await (await fetch(url)).text())
    expect(new Set(answers)).toEqual(new Set(['OK']))
    const next = Number(await readFile(path.join(folder, 'data', 'stonechat.pid'), 'utf8'))
    expect(next).not.toBe(pid)
    process.kill(next, 'SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  test('a socket of another port than its own is refused in one line', async () => {
    const [port, socket] = [await freePort(), await freePort()]
    const running = start({ port, socket })
    expect(await text(running.stderr!)).toBe(
      `systemd listens on port ${socket} for this process, which is to serve ${port}: change PORT, or ListenStream in the socket unit\n`,
    )
  })

  test('what was handed to another process is not taken', async () => {
    const env = {
      LISTEN_FDS: '1',
      LISTEN_PID: '1',
      DATA_DIR: path.join(folder, 'none'),
      BIND: 'nowhere.invalid',
    }
    const ended = await runToEnd([launcher, 'serve'], { env })
    expect(ended.stderr).toMatch(/^BIND is nowhere.invalid, a name that leads to no address/)
  })
})
