// For requests to other servers: each hop must be one with which this server speaks, whatever led there.
import type { Reader } from '#ports/ctx.ts'
import { RemoteError, type HttpRequest } from '#ports/http-client.ts'
import { mayFederate, mayTakeFiles } from './may-federate.ts'

type CheckHop = NonNullable<HttpRequest['sign']>

/** `sign` of a request for what servers say: rejects with a RemoteError at a host with which this one does not speak. */
export const onlyFederated = (reader: Reader) => checkHops(reader, mayFederate)

/** As `onlyFederated`, for pictures and other files. */
export const onlyFileHosts = (reader: Reader) => checkHops(reader, mayTakeFiles)

function checkHops(reader: Reader, may: (reader: Reader, host: string) => Promise<boolean>): CheckHop {
  return async ({ url }) => {
    if (await may(reader, url.host)) return {}
    throw new RemoteError('forbidden', `${url.host} is not a server with which this one speaks`)
  }
}
