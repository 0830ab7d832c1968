// The rules that hold now, compiled: read again when they are seconds old, so that posts cost no query of their own.
import { sql } from 'kysely'
import { createTtlCache } from '#lib/time/ttl-cache.ts'
import type { Reader } from '#ports/ctx.ts'
import { compileRules, type RuleSet, type SpamRule } from './evaluate.ts'

/** How long another process's change may go unnoticed where its news are lost, in milliseconds. */
const staleAfter = 2_000

interface Compiled {
  /** Which rules these are, and in which version. */
  stamp: string
  rules: RuleSet
}

const recent = createTtlCache(staleAfter, readCompiled)

/** The enabled rules, at most some seconds old. They are compiled anew only when one of them was changed. */
export const getActiveRules = async (reader: Reader): Promise<RuleSet> => (await recent.get(reader)).rules

/** Has this process read the rules again: the database has told that they changed. */
export const invalidateActiveRules = recent.forget

async function readCompiled(reader: Reader, last: Compiled | null): Promise<Compiled> {
  const stamp = await readStamp(reader)
  if (last?.stamp === stamp) return last
  return { stamp, rules: compileRules(stamp === '' ? [] : await readRules(reader)) }
}

async function readStamp(reader: Reader): Promise<string> {
  const { rows } = await sql<{ stamp: string | null }>`
    select string_agg(id || '@' || extract(epoch from updated_at), ' ' order by id) as stamp from spam_rules where enabled`.execute(
    reader.db,
  )
  return rows[0]?.stamp ?? ''
}

async function readRules(reader: Reader): Promise<SpamRule[]> {
  const { rows } = await sql<SpamRule>`
    select id, action, conditions from spam_rules where enabled order by id`.execute(reader.db)
  return rows
}
