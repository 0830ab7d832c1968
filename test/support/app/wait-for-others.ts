import { onTestFinished } from 'vitest'
import type { Ctx } from '#ports/ctx.ts'
import type { HttpClient } from '#ports/http-client.ts'
import { patience } from '#test/run/patience.ts'

/**
 * Until the test ends this server gives up no request to others: whoever waits for one that hangs never goes on, on a
 * machine of whatever speed.
 */
export function waitForOthers(ctx: Ctx): void {
  const { http } = ctx
  const timeout = 10 * patience
  const waiting: HttpClient = {
    send: (request) => http.send({ ...request, timeout }),
    download: (request) => http.download({ ...request, timeout }),
    stream: (request) => http.stream({ ...request, timeout }),
  }
  Object.assign(ctx, { http: waiting })
  onTestFinished(() => void Object.assign(ctx, { http }))
}
