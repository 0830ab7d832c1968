// In the place of systemd: sockets that outlive the process which serves them, and what that process tells.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { startProcess } from './processes.ts'
import { cleanEnv, launcher } from './server-process.ts'

/**
 * Listens on all ports without ever accepting, which Node cannot, and runs the command so many times with those
 * sockets as descriptors 3 and so on.
 */
const program = `
use Socket;
my ($ports, $times, @command) = @ARGV;
my @sockets;
$^F = 9;
for my $port (split /,/, $ports) {
  my $s;
  socket($s, PF_INET, SOCK_STREAM, 0) && setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1) or die $!;
  bind($s, sockaddr_in($port, INADDR_LOOPBACK)) && listen($s, 128) or die $!;
  fileno($s) == 3 + @sockets or die 'Descriptor ' . fileno($s);
  push @sockets, $s;
}
for (1 .. $times) { exit 1 if system @command }`

export interface ServiceManager {
  /** Runs `stonechat` with these words, so many times, with sockets of these ports. */
  run(words: readonly string[], options: Run): ReturnType<typeof startProcess>
  /** How often the process has told this line. */
  toldTimes(line: string): Promise<number>
}

interface Run {
  ports: readonly number[]
  env: Record<string, string>
  times?: number
}

/** A service manager that keeps what it is told in a folder. */
export async function createServiceManager(folder: string): Promise<ServiceManager> {
  const told = path.join(folder, 'told')
  const notify = path.join(folder, 'systemd-notify')
  await mkdir(folder, { recursive: true })
  await writeFile(notify, `#!/bin/sh\necho "$1" >>"$NOTIFY_SOCKET"\n`)
  await chmod(notify, 0o755)
  return {
    run(words, { ports, env, times = 1 }) {
      const command = `LISTEN_PID=$$ WATCHDOG_PID=$$ LISTEN_FDS=${ports.length} exec "$0" "$@"`
      const args = ['-e', program, ports.join(','), String(times), 'sh', '-c', command, launcher, ...words]
      return startProcess('perl', args, {
        env: cleanEnv({ ...env, PATH: `${folder}:${process.env['PATH']}`, NOTIFY_SOCKET: told }),
        cwd: '/',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    },
    async toldTimes(line) {
      const lines = (await readFile(told, 'utf8').catch(() => '')).split('\n')
      return lines.filter((one) => one === line).length
    },
  }
}
