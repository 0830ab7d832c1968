// Numbers on a port of their own, for every process, whatever it does.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { metricsHeaders, type Metrics } from '#http/metrics.ts'
import type { MetricsConfig } from '#config/metrics.ts'
import type { Log } from '#ports/log.ts'
import { listen } from './listen.ts'

/** More processes than one machine has use for. */
const maxProcesses = 64

/**
 * Serves `GET /metrics` on the first free port from `config.port` on: each process of a machine takes its own. Throws
 * when there is none.
 */
export async function startMetricsServer(metrics: Metrics, config: MetricsConfig, log: Log): Promise<Server> {
  const server = createServer((request, response) => void answer(metrics, request, response, log))
  const port = await listenFrom(server, config)
  log.info({ bind: config.bind, port }, 'metrics are served')
  return server
}

async function answer(
  metrics: Metrics,
  request: IncomingMessage,
  response: ServerResponse,
  log: Log,
): Promise<void> {
  const isAsked = request.method === 'GET' && request.url?.split('?')[0] === '/metrics'
  try {
    if (isAsked) response.writeHead(200, metricsHeaders).end(await metrics.text())
    else response.writeHead(404).end()
  } catch (error) {
    log.error({ error: (error as Error).message }, 'the metrics could not be made')
    response.destroy()
  }
}

async function listenFrom(server: Server, { bind, port: first }: MetricsConfig): Promise<number> {
  for (let port = first; ; port++) {
    try {
      await listen(server, { port, bind, names: { port: 'METRICS_PORT', bind: 'METRICS_BIND' } })
      return port
    } catch (error) {
      const isTaken = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE'
      if (!isTaken || port + 1 === first + maxProcesses || port === 65_535) throw error
    }
  }
}
