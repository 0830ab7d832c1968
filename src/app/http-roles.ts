// One port for all: pages, the API and federation by the web role, streams by the streaming role.
import type { Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Ctx } from '#ports/ctx.ts'
import type { Metrics } from '#http/metrics.ts'
import { compressAnswers } from '#http/kit/compression/compress-answers.ts'
import { createProbeApp, createWebApp } from '#http/server-app.ts'
import { createUpgradeRouter } from '#streaming/upgrade-router.ts'
import { createStreaming } from '#streaming/streaming.ts'
import type { HeartbeatTimes } from '#streaming/heartbeat.ts'
import type { Config } from '#config/config.ts'
import { limitConnections, usualCheck, usualPerAddress, type ConnectionLimits } from './connection-limits.ts'
import { closeHttpServer, createHttpServer, type HttpTimes, type Patience } from './http-server.ts'
import { createHostCheck, createRefusals, type HostCheck } from './our-hosts.ts'
import { createThrottledLog } from './log/throttled-log.ts'

export interface HttpRoles {
  /** Does not listen yet. */
  readonly server: Server
  /** Open streams. */
  countStreams(): number
  /** Ends streams, then waits for requests under way. */
  close(patience: Patience): Promise<void>
}

export interface HttpRolesOptions {
  times?: Partial<HttpTimes> | undefined
  heartbeat?: HeartbeatTimes | undefined
  metrics?: Metrics | null
  /** For whom a request is; by the configuration unless something else is given. */
  checkHost?: HostCheck | undefined
  /** Instead of the usual limits. */
  connections?: Partial<ConnectionLimits> | undefined
}

/** The HTTP server of a process with the web role, the streaming role or both. */
export function createHttpRoles(ctx: Ctx, options: HttpRolesOptions = {}): HttpRoles {
  const { config, log } = ctx
  const { metrics = null, checkHost = createHostCheck(config) } = options
  const streaming = config.roles.includes('streaming') ? createStreaming(ctx, options.heartbeat) : null
  const router = createUpgradeRouter(config, streaming)
  const app = config.roles.includes('web') ? createWebApp(ctx, metrics) : createProbeApp(ctx, metrics)
  // A request of HTTP 1.0 may name no host: only those come so far that need none.
  const answer = compressAnswers(config, getRequestListener(app.fetch, { hostname: config.webDomain }))
  const turnAway = createRefusals(createThrottledLog(log))
  const server = createHttpServer(
    (request, response) => {
      const decision = checkHost(request)
      if (decision !== 'ours') turnAway.request(request, response, decision)
      else if (!router.request(request, response)) void answer(request, response)
    },
    options.times,
    {
      wants: router.wantsUpgrade,
      take(request, socket, head) {
        const decision = checkHost(request)
        if (decision === 'ours') router.upgrade({ request, socket, head })
        else turnAway.upgrade(request, socket, decision)
      },
    },
  )
  limitConnections(server, { ...usualConnections(config), ...options.connections }, log)
  return {
    server,
    countStreams: () => streaming?.count() ?? 0,
    async close(patience) {
      await streaming?.stop()
      await closeHttpServer(server, patience)
    },
  }
}

const usualConnections = ({ rateLimits, trustedProxies }: Config): ConnectionLimits => ({
  perAddress: rateLimits ? usualPerAddress : null,
  trusted: trustedProxies,
  check: usualCheck,
})
