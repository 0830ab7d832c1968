import { noTrace, type Trace } from '#ports/trace.ts'
import type { Config } from '#config/config.ts'
import type { Log } from '#ports/log.ts'
import { createHttpClient } from '#adapters/http-client/http-client.ts'

/** Traces as the configuration has it. The packages are loaded only where they are wanted. */
export async function openTrace(config: Config, log: Log): Promise<Trace & { close(): Promise<void> }> {
  const { tracing } = config
  if (tracing === null) return { ...noTrace, close: async () => {} }
  const [{ createTrace }, { createExporter }] = await Promise.all([
    import('#adapters/otlp/trace.ts'),
    import('#adapters/otlp/exporter.ts'),
  ])
  // Its own client, which is not traced itself.
  const http = createHttpClient({ config, log, destinations: 'configured' })
  const resource = {
    'process.pid': process.pid,
    'stonechat.roles': config.roles.join(','),
    'server.address': config.webDomain,
  }
  const trace = createTrace({ config: tracing, exporter: createExporter(tracing, { http, log }), resource })
  return {
    ...trace,
    async close() {
      await trace.close()
      await http.close()
    },
  }
}
