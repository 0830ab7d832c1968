// The rules that hold now, compiled: read again when they are seconds old, so that posts cost no query of their own.
import { sql } from 'kysely'
import type { Config, Reader } from '#ports/ctx.ts'
import { compileRules, type RuleSet, type SpamRule } from './evaluate.ts'

/** How long another process's change may go unnoticed, in milliseconds. */
const staleAfter = 2_000

interface Kept {
  readAt: number
  /** Which rules these are, and in which version. */
  stamp: string
  rules: RuleSet
}

/** By configuration, of which each server in a process has its own. */
const recent = new WeakMap<Config, Kept>()

/** The enabled rules, at most some seconds old. They are compiled anew only when one of them was changed. */
export async function getActiveRules(reader: Reader): Promise<RuleSet> {
  const now = reader.clock.now()
  const kept = recent.get(reader.config)
  if (kept && Math.abs(now - kept.readAt) < staleAfter) return kept.rules
  const stamp = await readStamp(reader)
  const rules = kept?.stamp === stamp ? kept.rules : compileRules(stamp === '' ? [] : await readRules(reader))
  recent.set(reader.config, { readAt: now, stamp, rules })
  return rules
}

/** Has this process read the rules again. */
export const invalidateActiveRules = ({ config }: Pick<Reader, 'config'>) => void recent.delete(config)

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
