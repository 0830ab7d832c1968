// The rules against spam as staff write them.
import { sql, type Selectable } from 'kysely'
import type { SpamRulesTable } from '#db/schema/moderation.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { recordAction, type AuditDetails, type Staff } from '#domain/server/audit/record.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { isId } from '#lib/ids.ts'
import { cleanText, isLongerThan, truncatePlain } from '#lib/text/text.ts'
import { parseConditions, spamActions, type Conditions, type SpamAction } from './conditions.ts'
import { asId, asIds, type MediaId, type SpamRuleId } from '#lib/id.ts'

export interface SpamRuleRow extends Pick<
  Selectable<SpamRulesTable>,
  'id' | 'name' | 'enabled' | 'last_hit_at' | 'created_at' | 'updated_at'
> {
  conditions: Conditions
  action: SpamAction
  /** Posts that it matched. */
  hits: number
}

/** What is left out stays; a new rule is enabled and reports. */
export interface SpamRuleInput {
  name?: string | undefined
  enabled?: boolean | undefined
  /** All of them at once, unread. */
  conditions?: unknown
  action?: string | undefined
}

const maxRules = 50
const nameCharacters = 200
const labelCharacters = 100

const columns = sql`id, name, enabled, conditions, action, hits::int as hits, last_hit_at, created_at, updated_at`

/** All of them, oldest first. */
export async function listSpamRules(reader: Reader): Promise<SpamRuleRow[]> {
  const { rows } = await sql<SpamRuleRow>`select ${columns} from spam_rules order by id`.execute(reader.db)
  return rows
}

/** Throws `not_found`. */
export async function getSpamRule(reader: Reader, id: SpamRuleId): Promise<SpamRuleRow> {
  const { rows } = await sql<SpamRuleRow>`select ${columns} from spam_rules where id = ${id}`.execute(
    reader.db,
  )
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Makes a rule. Throws `invalid`, also when there are too many. */
export async function createSpamRule(ctx: Ctx, staff: Staff, input: SpamRuleInput): Promise<SpamRuleRow> {
  const name = readName(input.name)
  const action = readAction(input.action ?? 'report')
  const conditions = await readConditions(ctx, input.conditions)
  const id = ctx.newId<SpamRuleId>()
  await change(ctx, staff, 'create', async (tx) => {
    // Of two at once the second counts the first.
    await sql`lock table spam_rules in share row exclusive mode`.execute(tx.db)
    const { rows } = await sql`select 1 from spam_rules`.execute(tx.db)
    if (rows.length >= maxRules) throw invalid('base', 'too_many_rules', { max: maxRules })
    const now = new Date(tx.clock.now())
    await sql`
      insert into spam_rules (id, name, enabled, conditions, action, created_at, updated_at)
      values (${id}, ${name}, ${input.enabled ?? true}, ${JSON.stringify(conditions)}::jsonb, ${action}, ${now}, ${now})`.execute(
      tx.db,
    )
    return getSpamRule(tx, id)
  })
  return getSpamRule(ctx, id)
}

/** Changes what is given. Throws `not_found` and `invalid`. */
export async function updateSpamRule(
  ctx: Ctx,
  staff: Staff,
  id: SpamRuleId,
  input: SpamRuleInput,
): Promise<SpamRuleRow> {
  const name = input.name === undefined ? null : readName(input.name)
  const action = input.action === undefined ? null : readAction(input.action)
  const given = input.conditions === undefined ? null : await readConditions(ctx, input.conditions)
  const conditions = given && JSON.stringify(given)
  await change(ctx, staff, 'update', async (tx) => {
    const { rows } = await sql<SpamRuleRow>`
      update spam_rules set name = coalesce(${name}, name), enabled = coalesce(${input.enabled ?? null}, enabled),
        conditions = coalesce(${conditions}::jsonb, conditions), action = coalesce(${action}, action),
        updated_at = greatest(${new Date(tx.clock.now())}, updated_at + interval '1 microsecond')
      where id = ${id} returning ${columns}`.execute(tx.db)
    if (!rows[0]) throw notFound()
    return rows[0]
  })
  return getSpamRule(ctx, id)
}

/** What it did stays, and so does what it holds. Throws `not_found`. */
export async function deleteSpamRule(ctx: Ctx, staff: Staff, id: SpamRuleId): Promise<void> {
  await change(ctx, staff, 'destroy', async (tx) => {
    const { rows } = await sql<SpamRuleRow>`
      delete from spam_rules where id = ${id} returning ${columns}`.execute(tx.db)
    if (!rows[0]) throw notFound()
    return rows[0]
  })
}

async function change(
  ctx: Ctx,
  staff: Staff,
  action: string,
  work: (tx: Tx) => Promise<SpamRuleRow>,
): Promise<void> {
  await ctx.transaction(async (tx) => recordAction(tx, staff, actionOnRule(await work(tx), action)))
}

/** What was done to a rule, for the audit log. */
export function actionOnRule(rule: SpamRuleRow, action: string, details: AuditDetails = {}) {
  const { id, name, enabled, conditions } = rule
  return {
    action,
    targetType: 'spam_rule',
    targetId: id,
    label: truncatePlain(name, labelCharacters),
    details: { action: rule.action, enabled, conditions: Object.keys(conditions), ...details },
  }
}

function readName(text: string | undefined): string {
  const name = cleanText(text ?? '').trim()
  if (name === '') throw invalid('name', 'blank')
  if (isLongerThan(name, nameCharacters)) throw invalid('name', 'too_long', { max: nameCharacters })
  return name
}

function readAction(text: string): SpamAction {
  const action = spamActions.find((one) => one === text)
  if (!action) throw invalid('action', 'not_of', { words: spamActions.join(', ') })
  return action
}

/** Conditions as they are kept: the ids of media become what they are recognised by. Throws `invalid`. */
export async function readConditions(reader: Reader, value: unknown): Promise<Conditions> {
  const conditions = parseConditions(value)
  const ids = (conditions.media_hashes ?? []).filter((one) => isId(one))
  if (ids.length === 0) return conditions
  const hashOf = await loadHashes(reader, asIds<MediaId>(ids))
  const named = conditions.media_hashes?.map((one) => (isId(one) ? hashOf.get(asId<MediaId>(one)) : one))
  if (named?.includes(undefined)) throw invalid('conditions', 'entry_unknown_media', { name: 'media_hashes' })
  return { ...conditions, media_hashes: [...new Set(named as string[])] }
}

async function loadHashes(reader: Reader, ids: readonly MediaId[]): Promise<Map<MediaId, string>> {
  const { rows } = await sql<{ id: MediaId; hash: string | null }>`
    select id, coalesce(encode(content_hash, 'hex'), blurhash) as hash from media_attachments
    where id = any(${ids}::bigint[])
      and case when remote_url is null then content_hash is not null else blurhash is not null end`.execute(
    reader.db,
  )
  return new Map(rows.flatMap(({ id, hash }) => (hash === null ? [] : [[id, hash]])))
}
