// Writes docs/rate-limits.md from the table of rate limits. With --check it only fails when the page is stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { rateLimits, type RateLimit } from '../src/http/kit/rate-limits.ts'

const spans = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const

/** Seconds as `5 minutes` or `day`, in the largest unit that divides them. */
function span(seconds: number): string {
  const [length, unit] = spans.find(([one]) => seconds % one === 0) ?? [1, 'second']
  const count = seconds / length
  return count === 1 ? unit : `${count} ${unit}s`
}

/** The whole page. The same table always gives the same text. */
export function renderRateLimits(table: Readonly<Record<string, RateLimit>>): string {
  const rows = Object.entries(table).map(
    ([family, { what, limit, seconds, by }]) =>
      `| ${what} | ${limit.toLocaleString('en')} per ${span(seconds)} | ${by} | \`${family}\` |`,
  )
  return [
    '# Rate limits',
    'Generated from `src/http/kit/rate-limits.ts` by `scripts/rate-limits.ts`; do not edit.',
    'Windows begin at whole multiples of their length. Who is over a limit is answered 429, with `Retry-After`; the ' +
      '`X-RateLimit-*` headers tell of the strictest limit that a request counted against, or of what it did. Of IPv6 an ' +
      'address is its /64. An `account` is a profile, a `user` its login, a `mailbox` an e-mail address in whichever ' +
      'spelling, a `login` whoever is tried to be signed in as. Strangers on this machine itself are not counted, nor is ' +
      'anybody with `RATE_LIMITS=off`.',
    ['| what is counted | most | by | family |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  ]
    .join('\n\n')
    .concat('\n')
}

if (import.meta.main) {
  const page = resolve(import.meta.dirname, '../docs/rate-limits.md')
  const text = renderRateLimits(rateLimits)
  if (!process.argv.includes('--check')) writeFileSync(page, text)
  else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
    console.error('docs/rate-limits.md is stale: run scripts/rate-limits.ts')
    process.exitCode = 1
  } else console.log('docs/rate-limits.md: as in src/http/kit/rate-limits.ts')
}
