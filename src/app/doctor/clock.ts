// Whether this machine's clock is right. A database on the same machine agrees with it however wrong it is, so that other
// servers are asked for the time as well.
import type { Ctx } from '#ports/ctx.ts'
import { RemoteError } from '#ports/http-client.ts'
import { describeDatabase } from '#db/describe.ts'
import { idFloor } from '#db/id-node.ts'
import { listLiveHosts } from '#domain/server/hosts/live-hosts.ts'
import { idToTime } from '#lib/ids.ts'
import { ok, patience, problem, warning, type Result } from './finding.ts'

const minute = 60_000
const day = 1440 * minute
/** Other servers asked at most. */
const maxAsked = 3
const byNtp = 'set this machine by NTP (timedatectl set-ntp true), and restart the server'

export async function checkClock(ctx: Ctx): Promise<Result> {
  const before = ctx.clock.now()
  const { now: databaseNow } = await describeDatabase(ctx.db)
  const now = (before + ctx.clock.now()) / 2
  const apart = Math.round(Math.abs(databaseNow.getTime() - now))
  const line = `${new Date(now).toISOString()}, ${apart} ms from the database's`
  if (apart >= 1_000) return problem(line, 'set both machines by NTP')
  return (await compareWithOthers(ctx, line)) ?? (await lookAhead(ctx, line))
}

/** Null when no other server says that it is another time. */
async function compareWithOthers(ctx: Ctx, line: string): Promise<Result | null> {
  const hosts = await listLiveHosts(ctx, maxAsked)
  const answers = await Promise.all(hosts.map((host) => askTime(ctx, host)))
  const told = answers.filter((answer) => typeof answer === 'number').toSorted((a, b) => a - b)
  const middle = told[Math.floor(told.length / 2)]
  if (middle !== undefined && Math.abs(middle) > minute)
    return problem(
      `${line}, but by other servers it is ${new Date(ctx.clock.now() + middle).toISOString()}`,
      byNtp,
    )
  if (answers.length > 0 && answers.every((answer) => answer === 'invalid'))
    return problem(`${line}, when no certificate of ${hosts.join(', ')} is valid`, byNtp)
  return null
}

/** By how many milliseconds it is later there; `invalid`: its certificate is not for this time; null: it does not say. */
async function askTime(ctx: Ctx, host: string): Promise<number | 'invalid' | null> {
  const url = `http${ctx.config.https ? 's' : ''}://${host}/.well-known/nodeinfo`
  try {
    const { headers } = await ctx.http.send({ url, maxBytes: 65_536, longer: 'cut', timeout: patience })
    // What a cache between has kept says for how long.
    const time = Date.parse(headers.get('date') ?? '') + 1_000 * Number(headers.get('age') ?? 0)
    return Number.isNaN(time) ? null : time - ctx.clock.now()
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    const { code } = (error.cause ?? {}) as { code?: string }
    return code === 'CERT_NOT_YET_VALID' || code === 'CERT_HAS_EXPIRED' ? 'invalid' : null
  }
}

/** Ids follow the clock, and never go back with it. */
async function lookAhead(ctx: Ctx, line: string): Promise<Result> {
  const newest = idToTime(await idFloor(ctx.db))
  if (newest < ctx.clock.now() + day) return ok(line)
  return warning(
    `${line}; ids were given out up to ${new Date(newest).toISOString()}, when the clock was ahead`,
    'restore a backup of before that, or bear with it: until then, what is posted here stands above what others post',
  )
}
