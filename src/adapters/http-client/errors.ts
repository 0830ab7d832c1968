import { RemoteError, type RemoteProblem } from '#ports/http-client.ts'

/** Codes of Node and undici that say more than that there was no answer. */
const problems: Readonly<Record<string, RemoteProblem>> = {
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
}

/** What a failed connection, request or body means for the caller. */
export function toRemoteError(error: unknown, url: URL): RemoteError {
  if (error instanceof RemoteError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new RemoteError(problems[codeOf(error)] ?? 'unreachable', `${url.host}: ${message}`, error)
}

/** Whether a connection that was kept open turned out to be closed by the other side in the meantime. */
export function isStaleConnection(error: unknown): boolean {
  if (codeOf(error) === 'UND_ERR_SOCKET') {
    const { socket } = error as { socket?: { bytesRead?: number } | null }
    return (socket?.bytesRead ?? 0) > 0
  }
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(error))
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}
