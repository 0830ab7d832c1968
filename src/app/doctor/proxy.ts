// What a proxy makes of requests on their way to this server.
import type { Config } from '#config/config.ts'
import type { Ctx } from '#ports/ctx.ts'
import { arrivalPath, createArrivalTicket, type Arrival } from '#domain/server/instance/arrival-ticket.ts'
import { ok, patience, problem, warning, whenItFails, type Result } from './finding.ts'

/** What a visitor claims to be, and must not be taken for (RFC 5737). */
const claimed = '192.0.2.1'

/** Asks this server, through its public address, how the request arrived. */
export async function checkProxy(ctx: Ctx): Promise<Result> {
  const url = `${ctx.config.baseUrl}${arrivalPath}`
  const headers = { authorization: `Bearer ${createArrivalTicket(ctx)}`, 'x-forwarded-for': claimed }
  const options = { headers, redirect: 'manual', signal: AbortSignal.timeout(patience) } as const
  const answer = await fetch(url, options).catch(() => null)
  if (answer === null) return ok('nothing to look at: no server answers at its public address')
  if (answer.status !== 200) return problem(`${url} answers ${answer.status}`, whenItFails.proxy)
  return checkArrival(ctx.config, (await answer.json()) as Arrival)
}

/** Visitors come by https only through a proxy: this server itself does not speak it. */
export function checkArrival(config: Pick<Config, 'webDomain' | 'https'>, arrival: Arrival): Result {
  const { host, peer, trusted, forwardedFor, address } = arrival
  if (host !== config.webDomain)
    return problem(
      `requests arrive with the Host ${host ?? ''} instead of ${config.webDomain}`,
      'let the proxy pass the Host on (nginx: proxy_set_header Host $host)',
    )
  const isTouched = forwardedFor !== null && forwardedFor !== claimed
  if (!config.https && !isTouched) return ok('no proxy in between')
  const pass =
    'let the proxy write X-Forwarded-For (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for)'
  if (forwardedFor === null)
    return problem('X-Forwarded-For does not arrive: all visitors share one limit of requests', pass)
  if (!isTouched)
    return problem('the proxy passes X-Forwarded-For on as visitors write it: nobody is who they seem', pass)
  if (!trusted)
    return problem(
      `the proxy connects from ${peer}, which is not trusted: all visitors share one limit of requests`,
      `set TRUSTED_PROXY_IP to ${peer}`,
    )
  if (address === claimed)
    return problem(
      'what visitors write into X-Forwarded-For is believed',
      'take those addresses out of TRUSTED_PROXY_IP that are not proxies of yours',
    )
  const line = `Host and X-Forwarded-For arrive through ${peer}`
  if (config.https && arrival.forwardedProto !== null && arrival.forwardedProto !== 'https')
    return warning(
      `${line}, but X-Forwarded-Proto is ${arrival.forwardedProto}`,
      'let the proxy write https there (nginx: proxy_set_header X-Forwarded-Proto $scheme)',
    )
  return ok(line)
}
