// Programs and services that a server may have beside its database.
import type { Config } from '#config/config.ts'
import { describeFfmpeg } from '#adapters/media/ffmpeg/ffmpeg.ts'
import { createHttpClient } from '#adapters/http-client/http-client.ts'
import type { Log } from '#ports/log.ts'
import { ok, problem, warning, whenItFails, type Result } from './finding.ts'

/** Without it there are no films and sounds. */
export async function checkFfmpeg(): Promise<Result> {
  const found = await describeFfmpeg(process.env['PATH'])
  const effect = 'films and sounds cannot be uploaded'
  if (found === null) return warning(`not installed: ${effect}`, 'install it (Debian: apt install ffmpeg)')
  const line = `ffmpeg ${found.version}`
  if (found.missing.length === 0) return ok(line)
  return warning(
    `${line} lacks ${found.missing.join(', ')}: ${effect}`,
    'install one that is built with them, as that of Debian',
  )
}

/** Whether the collector takes traces. It is sent none. */
export async function checkOtlp(config: Config, log: Log): Promise<Result> {
  const { tracing } = config
  if (tracing === null) return ok('not set: nothing is traced')
  const { postSpans } = await import('#adapters/otlp/exporter.ts')
  const http = createHttpClient({ config, log, destinations: 'configured' })
  try {
    await postSpans(tracing, http, [])
    return ok(`${new URL(tracing.url).host} takes traces`)
  } catch (error) {
    return problem(`${new URL(tracing.url).host}: ${(error as Error).message}`, whenItFails.otlp)
  } finally {
    await http.close()
  }
}
