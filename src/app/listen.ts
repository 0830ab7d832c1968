import cluster from 'node:cluster'
import { createServer, type Server } from 'node:net'

export interface Place {
  port: number
  bind: string
  /** Whether the supervisor, where there is one, keeps it open for the process that follows this one. */
  isShared?: boolean
  /** A socket that listens there already, by its descriptor; null: one is opened. */
  descriptor?: number | null
  /** The variables that say so, for the message. */
  names: { port: string; bind: string }
}

/** Listens there. Throws with a line that an operator understands; its cause is the error itself. */
export function listen(server: Server, place: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(listenFailure(error, place))
    server.once('error', fail)
    const listening = () => {
      server.off('error', fail)
      resolve()
    }
    if (typeof place.descriptor === 'number') listenOnOwn(server, place.descriptor, listening)
    else server.listen({ port: place.port, host: place.bind, exclusive: !place.isShared }, listening)
  })
}

/**
 * On a descriptor of this process. In a process of a cluster Node would take the number for one of the supervisor's, which
 * is another socket, whatever `exclusive` says: it looks at this flag alone.
 */
function listenOnOwn(server: Server, fd: number, listening: () => void): void {
  const flags = cluster as { isPrimary: boolean }
  const before = flags.isPrimary
  flags.isPrimary = true
  try {
    server.listen({ fd }, listening)
  } finally {
    flags.isPrimary = before
  }
}

/**
 * Throws as `listen` would, and leaves the address free: to know before anything is made. Does nothing where a
 * supervisor or a service manager keeps it open: connections that came meanwhile would be taken, and not answered.
 */
export async function assertCanListen(place: Place): Promise<void> {
  if (typeof place.descriptor === 'number' || (place.isShared && cluster.isWorker)) return
  const server = createServer()
  await listen(server, place)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
}

function listenFailure(error: NodeJS.ErrnoException, { port, bind, names }: Place): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken: stop what listens there or set ${names.port}`,
    EACCES: `Port ${port} may not be used by this account: set ${names.port} to 1024 or more`,
    EADDRNOTAVAIL: `${names.bind} is ${bind}, which is no address of this machine`,
    ENOTFOUND: `${names.bind} is ${bind}, a name that leads to no address`,
  }
  return new Error(reasons[error.code ?? ''] ?? error.message, { cause: error })
}
