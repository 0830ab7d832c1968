// Sockets on which systemd listens for this process (LISTEN_FDS): they stay open while it is restarted, and connections
// that come meanwhile wait.
import { readFile, readlink } from 'node:fs/promises'

/** The first descriptor that is handed over: https://www.freedesktop.org/software/systemd/man/sd_listen_fds.html */
const firstDescriptor = 3
/** What /proc/net/tcp calls a socket that listens. */
const listening = '0A'

/**
 * Returns the descriptors of the TCP sockets that were handed over, by their port; none without a service manager that
 * does so. Throws an Error of one line when one of them is no TCP socket that listens.
 */
export async function inheritedSockets(env: NodeJS.ProcessEnv): Promise<ReadonlyMap<number, number>> {
  const count = env['LISTEN_PID'] === String(process.pid) ? Number(env['LISTEN_FDS']) : 0
  if (!(count > 0)) return new Map()
  const ports = await listeningPorts()
  const descriptors = Array.from({ length: count }, (_, index) => firstDescriptor + index)
  const found = await Promise.all(descriptors.map((fd) => portOf(fd, ports)))
  return new Map(descriptors.map((fd, index) => [found[index] as number, fd]))
}

/** Returns the descriptor for `port`, or null where nothing was handed over. Throws an Error of one line when all are for other ports. */
export function socketFor(port: number, sockets: ReadonlyMap<number, number>): number | null {
  const descriptor = sockets.get(port)
  if (descriptor !== undefined) return descriptor
  if (sockets.size === 0) return null
  throw new Error(
    `systemd listens on port ${[...sockets.keys()].join(', ')} for this process, which is to serve ${port}: change PORT, or ListenStream in the socket unit`,
  )
}

async function portOf(descriptor: number, ports: ReadonlyMap<string, number>): Promise<number> {
  const target = await readlink(`/proc/self/fd/${descriptor}`).catch(() => '')
  const port = ports.get(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? '')
  if (port !== undefined) return port
  throw new Error(
    `Descriptor ${descriptor}, which came from the service manager, is no TCP socket that listens`,
  )
}

/** Port by the number of the socket, as the system lists them. */
async function listeningPorts(): Promise<Map<string, number>> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/self/net/${name}`, 'utf8').catch(() => '')),
  )
  const rows = tables.flatMap((table) => table.split('\n').slice(1)).map((line) => line.trim().split(/\s+/))
  return new Map(
    rows
      .filter((fields) => fields[3] === listening)
      .map((fields) => [fields[9] ?? '', Number.parseInt(fields[1]?.split(':')[1] ?? '', 16)]),
  )
}
