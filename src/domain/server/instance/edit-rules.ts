import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { parseLanguage } from '#lib/text/language.ts'
import { cleanText, isLongerThan, truncatePlain } from '#lib/text/text.ts'
import { getRule, type ServerRule } from './rules.ts'
import type { RuleId } from '#lib/id.ts'

/** What is left out stays, or is empty. */
export interface RuleInput {
  text?: string | undefined
  hint?: string | undefined
  /** Lower ones come first. A new rule comes last. */
  priority?: number | undefined
  /** By language; all of them at once. One without a text is left out. */
  translations?:
    | Readonly<Record<string, { text?: string | undefined; hint?: string | undefined }>>
    | undefined
}

interface Values extends Omit<ServerRule, 'id'> {
  priority: number | null
}

const textCharacters = 300
const hintCharacters = 1000
const maxPriority = 1_000_000
const labelCharacters = 200

/** Makes a rule and answers its id. Throws `invalid`. */
export async function createRule(ctx: Ctx, staff: Staff, input: RuleInput): Promise<RuleId> {
  const values = readRule(input, { text: '', hint: '', translations: {}, priority: null })
  return ctx.transaction(async (tx) => {
    const id = tx.newId<RuleId>()
    const now = new Date(tx.clock.now())
    await sql`
      insert into rules (id, text, hint, priority, translations, created_at, updated_at)
      select ${id}, ${values.text}, ${values.hint},
        coalesce(${values.priority}::int, (select max(priority) + 1 from rules where deleted_at is null), 0),
        ${JSON.stringify(values.translations)}::jsonb, ${now}::timestamptz, ${now}::timestamptz`.execute(
      tx.db,
    )
    await record(tx, staff, 'create', { id, text: values.text })
    return id
  })
}

/** Changes a rule. Throws `not_found` and `invalid`. */
export async function updateRule(ctx: Ctx, staff: Staff, id: RuleId, input: RuleInput): Promise<void> {
  await ctx.transaction(async (tx) => {
    const values = readRule(input, await getRule(tx, id, true))
    await sql`
      update rules set text = ${values.text}, hint = ${values.hint}, priority = ${values.priority},
        translations = ${JSON.stringify(values.translations)}::jsonb, updated_at = ${new Date(tx.clock.now())}
      where id = ${id}`.execute(tx.db)
    await record(tx, staff, 'update', { id, text: values.text })
  })
}

/** Has a rule change places with the one before or after it. Where there is none nothing changes. Throws `not_found`. */
export async function moveRule(ctx: Ctx, staff: Staff, id: RuleId, direction: 'up' | 'down'): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<Pick<ServerRule, 'id' | 'text'>>`
      select id, text from rules where deleted_at is null order by priority, id for update`.execute(tx.db)
    const from = rows.findIndex((rule) => rule.id === id)
    const moved = rows[from]
    if (!moved) throw notFound()
    const to = from + (direction === 'up' ? -1 : 1)
    const other = rows[to]
    if (!other) return
    const order = rows
      .with(from, other)
      .with(to, moved)
      .map((rule) => rule.id)
    await sql`
      update rules r set priority = o.place - 1, updated_at = ${new Date(tx.clock.now())}
      from unnest(${order}::bigint[]) with ordinality o (id, place)
      where r.id = o.id and r.priority <> o.place - 1`.execute(tx.db)
    await record(tx, staff, 'update', moved)
  })
}

/** The rule no longer holds. Reports that name it still tell it. Throws `not_found`. */
export async function deleteRule(ctx: Ctx, staff: Staff, id: RuleId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { text } = await getRule(tx, id, true)
    const now = new Date(tx.clock.now())
    await sql`update rules set deleted_at = ${now}, updated_at = ${now} where id = ${id}`.execute(tx.db)
    await record(tx, staff, 'destroy', { id, text })
  })
}

function readRule(input: RuleInput, before: Values): Values {
  const text = input.text === undefined ? before.text : cleanText(input.text).trim()
  const hint = input.hint === undefined ? before.hint : cleanText(input.hint).trim()
  if (text === '') throw invalid('text', 'blank')
  assertLengths(text, hint)
  const priority = input.priority ?? before.priority
  if (priority !== null && Math.abs(priority) > maxPriority) throw invalid('priority', 'invalid')
  const translations =
    input.translations === undefined ? before.translations : readTranslations(input.translations)
  return { text, hint, priority, translations }
}

function readTranslations(input: NonNullable<RuleInput['translations']>): ServerRule['translations'] {
  const read = Object.entries(input).map(([name, told]) => {
    const language = parseLanguage(name)
    if (language === null) throw invalid('translations', 'has_no_language', { name: JSON.stringify(name) })
    const text = cleanText(told.text ?? '').trim()
    const hint = cleanText(told.hint ?? '').trim()
    assertLengths(text, hint)
    return [language, { text, hint }] as const
  })
  return Object.fromEntries(read.filter(([, { text }]) => text !== ''))
}

function assertLengths(text: string, hint: string): void {
  if (isLongerThan(text, textCharacters)) throw invalid('text', 'long')
  if (isLongerThan(hint, hintCharacters)) throw invalid('hint', 'long')
}

function record(tx: Tx, staff: Staff, action: string, { id, text }: { id: RuleId; text: string }) {
  const label = truncatePlain(text, labelCharacters)
  return recordAction(tx, staff, { action, targetType: 'rule', targetId: id, label })
}
