import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { usernameProblems } from './registration-rules.ts'

const maxLength = 30
/** Numbers that are tried behind a name. */
const tries = 50

/** Returns a username that is free and like the wanted text, or '' when there is nothing in it that a name may have. */
export async function suggestUsername(ctx: Ctx, wanted: string): Promise<string> {
  const [local = ''] = wanted.normalize('NFKD').split('@')
  const base = local.replaceAll(/[^A-Za-z0-9_]+/g, '').slice(0, maxLength)
  if (base === '') return ''
  const candidates = [
    base,
    ...Array.from({ length: tries }, (_, index) => {
      const end = `_${index + 1}`
      return base.slice(0, maxLength - end.length) + end
    }),
  ].filter((name) => usernameProblems(name).length === 0)
  const { rows } = await sql<{ name: string }>`
    select lower(username) as name from accounts
    where lower(username) = any(${candidates.map((name) => name.toLowerCase())}::text[]) and domain is null`.execute(
    ctx.db,
  )
  const taken = new Set(rows.map(({ name }) => name))
  return candidates.find((name) => !taken.has(name.toLowerCase())) ?? ''
}
