// How others reach this server, and it them.
import tls from 'node:tls'
import type { Config } from '#config/config.ts'
import type { Ctx } from '#ports/ctx.ts'
import { RemoteError } from '#ports/http-client.ts'
import { listLiveHosts } from '#domain/server/hosts/live-hosts.ts'
import { instanceActorName } from '#domain/server/instance/urls.ts'
import { fetchStatus } from './fetch-status.ts'
import { ok, patience, problem, reasonOf, warning, type Result } from './finding.ts'

const day = 86_400_000
/** Days before its end at which a certificate should have been renewed. */
const renewBefore = 14

/** Whether the public address leads to a server that answers. */
export async function checkDomain(config: Config): Promise<Result> {
  const handles = `handles end in @${config.localDomain}`
  const url = `${config.baseUrl}/health`
  if (isPrivate(config.webDomain))
    return warning(
      `${handles}: others cannot reach that`,
      'set LOCAL_DOMAIN to the name that is to be in handles',
    )
  const answer = await fetchStatus(url)
  if (typeof answer === 'string')
    return problem(
      `${handles}, but ${url} cannot be reached: ${answer}`,
      'start the server, and see that the name leads to the proxy and the proxy to PORT',
    )
  const line = `${handles}, ${url} answers ${answer}`
  return answer === 200
    ? ok(line)
    : problem(line, 'see that the proxy passes requests on to PORT, and that the server runs')
}

/** Others cannot get there. */
export function isPrivate(domain: string): boolean {
  const host = URL.parse(`http://${domain}`)?.hostname ?? ''
  return host === 'localhost' || host.endsWith('.localhost') || /^[\d.]+$|^\[/.test(host)
}

/** Whether the certificate holds, and for how long yet. */
export async function checkTls(config: Config): Promise<Result> {
  if (isPrivate(config.webDomain)) return ok('not needed at such an address')
  if (!config.https)
    return warning(
      'LOCAL_HTTPS is false: only servers set up like this one speak with it',
      'let a proxy take https, and unset LOCAL_HTTPS',
    )
  const { hostname, port } = new URL(config.baseUrl)
  const { until, protocol, error } = await readCertificate(hostname, Number(port || 443))
  const days = Math.floor((until.getTime() - Date.now()) / day)
  const line = `${protocol}, the certificate of ${hostname} ends on ${until.toISOString().slice(0, 10)}`
  if (error !== null)
    return problem(
      `${line}, and does not hold: ${error}`,
      "get one for this name from an authority that all trust, such as Let's Encrypt",
    )
  return days < renewBefore ? warning(`${line}, in ${days} days`, 'see that what renews it runs') : ok(line)
}

interface Certificate {
  until: Date
  protocol: string
  /** Why it does not hold; null when it does. */
  error: string | null
}

/** One that does not hold is looked at all the same. */
function readCertificate(host: string, port: number): Promise<Certificate> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host, port, servername: host, rejectUnauthorized: false })
    const end = (act: () => void) => {
      socket.destroy()
      act()
    }
    socket.setTimeout(patience, () => end(() => reject(new Error(`${host}:${port} does not answer`))))
    socket.once('error', (error) => end(() => reject(new Error(`${host}:${port}: ${error.message}`))))
    socket.once('secureConnect', () => {
      const until = new Date(socket.getPeerCertificate().valid_to)
      const error = socket.authorized ? null : String(socket.authorizationError)
      const protocol = socket.getProtocol() ?? 'TLS'
      end(() => resolve({ until, protocol, error }))
    })
  })
}

/** Other servers asked at most. */
const maxAsked = 3

/** Whether others find accounts of this server by their handles, and whether it gets out to others. */
export async function checkFederation(ctx: Ctx): Promise<Result> {
  const { config } = ctx
  const out = await reachOthers(ctx)
  if (out.state === 'problem' || isPrivate(config.webDomain)) return out
  const resource = `acct:${instanceActorName(config)}@${config.localDomain}`
  const query = `?resource=${encodeURIComponent(resource)}`
  const url = `${config.https ? 'https' : 'http'}://${config.localDomain}/.well-known/webfinger${query}`
  const answer = await finger(url)
  if (answer === resource) return ok(`handles are found at ${config.localDomain}; ${out.text}`)
  return problem(
    `others do not find handles: ${url} ${answer}`,
    `let ${config.localDomain} answer /.well-known/webfinger from this server, or redirect it to ${config.baseUrl}`,
  )
}

/** The subject that is answered, or what is answered instead. A domain of handles may send others on. */
async function finger(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(patience) })
    if (answer.status !== 200) return `answers ${answer.status}`
    const found = (await answer.json()) as { subject?: unknown }
    return typeof found.subject === 'string' ? found.subject : 'answers without a subject'
  } catch (error) {
    return `cannot be reached: ${reasonOf(error as Error)}`
  }
}

/** Asks servers that answered when they were last asked. */
async function reachOthers(ctx: Ctx): Promise<Result> {
  const hosts = await listLiveHosts(ctx, maxAsked)
  if (hosts.length === 0) return ok('no other server is known yet')
  const failures: string[] = []
  for (const host of hosts) {
    const reason = await ask(ctx, host)
    if (reason === null) return ok(`${host} answers`)
    failures.push(`${host}: ${reason}`)
  }
  return problem(
    `no other server answers (${failures.join('; ')})`,
    'see that this machine may connect to the internet',
  )
}

/** Null when it answers, whatever that is. */
async function ask(ctx: Ctx, host: string): Promise<string | null> {
  const url = `http${ctx.config.https ? 's' : ''}://${host}/.well-known/nodeinfo`
  try {
    await ctx.http.send({ url, maxBytes: 65_536, longer: 'cut', timeout: patience })
    return null
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    return error.problem
  }
}
