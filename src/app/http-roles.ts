// One port for all: pages, the API and federation by the web role, streams by the streaming role.
import type { Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Ctx } from '#ports/ctx.ts'
import type { Metrics } from '#http/metrics.ts'
import { createProbeApp, createWebApp } from '#http/server-app.ts'
import { createEntrance } from '#streaming/entrance.ts'
import { createStreaming } from '#streaming/streaming.ts'
import type { UpkeepTimes } from '#streaming/upkeep.ts'
import { closeHttpServer, createHttpServer, type HttpTimes } from './http-server.ts'

export interface HttpRoles {
  /** Does not listen yet. */
  readonly server: Server
  /** Open streams. */
  countStreams(): number
  /** Ends streams, then waits up to `patience` milliseconds for requests under way. */
  close(patience: number): Promise<void>
}

export interface HttpRolesOptions {
  times?: Partial<HttpTimes> | undefined
  upkeep?: UpkeepTimes | undefined
  metrics?: Metrics | null
}

/** The HTTP server of a process with the web role, the streaming role or both. */
export function createHttpRoles(
  ctx: Ctx,
  { times, upkeep, metrics = null }: HttpRolesOptions = {},
): HttpRoles {
  const { roles } = ctx.config
  const streaming = roles.includes('streaming') ? createStreaming(ctx, upkeep) : null
  const entrance = createEntrance(ctx.config, streaming)
  const app = roles.includes('web') ? createWebApp(ctx, metrics) : createProbeApp(ctx, metrics)
  const answer = getRequestListener(app.fetch)
  const server = createHttpServer(
    (request, response) => {
      if (!entrance.request(request, response)) void answer(request, response)
    },
    times,
    {
      wants: entrance.wantsUpgrade,
      take: (request, socket, head) => entrance.upgrade({ request, socket, head }),
    },
  )
  return {
    server,
    countStreams: () => streaming?.count() ?? 0,
    async close(patience) {
      await streaming?.stop()
      await closeHttpServer(server, patience)
    },
  }
}
