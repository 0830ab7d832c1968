// Terms of service: drafts become versions, which stay as they are.
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { cleanText } from '#lib/text/text.ts'
import type { TermsOfServiceId } from '#lib/id.ts'

export interface TermsRow {
  id: TermsOfServiceId
  /** Plain text. */
  text: string
  /** What is new in this version, for the mail that tells of it. Plain text. */
  changelog: string
  /** `YYYY-MM-DD`, the day from which they hold. */
  day: string
  /** null: a draft. */
  published_at: Date | null
  /** When everybody had been mailed. */
  notified_at: Date | null
  created_at: Date
  updated_at: Date
}

/** What is left out stays. A draft without a day, or for the day of its making, holds from when it is published. */
export interface TermsInput {
  text?: string | undefined
  changelog?: string | undefined
  effectiveDate?: string | undefined
}

const maxCharacters = 200_000
const maxVersions = 200

const columns = sql`id, text, changelog, effective_date::text as day, published_at, notified_at, created_at, updated_at`

/** Versions and drafts, newest first: the latest two hundred. */
export async function listTerms(reader: Reader): Promise<TermsRow[]> {
  const { rows } = await sql<TermsRow>`
    select ${columns} from terms_of_service order by id desc limit ${maxVersions}`.execute(reader.db)
  return rows
}

/** Throws `not_found`. */
export async function getTerms(reader: Reader, id: TermsOfServiceId): Promise<TermsRow> {
  return readTerms(reader, id, false)
}

async function readTerms(reader: Reader, id: TermsOfServiceId, lock: boolean): Promise<TermsRow> {
  const { rows } = await sql<TermsRow>`
    select ${columns} from terms_of_service where id = ${id} ${lock ? sql`for update` : sql``}`.execute(
    reader.db,
  )
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Writes a draft and answers its id. Throws `invalid`. */
export async function createTerms(ctx: Ctx, staff: Staff, input: TermsInput): Promise<TermsOfServiceId> {
  const values = readValues(input, { text: '', changelog: '', day: today(ctx) })
  return ctx.transaction(async (tx) => {
    const id = tx.newId<TermsOfServiceId>()
    const now = new Date(tx.clock.now())
    await sql`
      insert into terms_of_service (id, text, changelog, effective_date, created_at, updated_at)
      values (${id}, ${values.text}, ${values.changelog}, ${values.day}::date, ${now}, ${now})`.execute(tx.db)
    await record(tx, staff, 'create', { id, day: values.day })
    return id
  })
}

/** Changes a draft. Throws `not_found`, and `invalid` for what is published. */
export async function updateTerms(
  ctx: Ctx,
  staff: Staff,
  id: TermsOfServiceId,
  input: TermsInput,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const values = readValues(input, await lockDraft(tx, id))
    await sql`
      update terms_of_service set text = ${values.text}, changelog = ${values.changelog},
        effective_date = ${values.day}::date, updated_at = ${new Date(tx.clock.now())}
      where id = ${id}`.execute(tx.db)
    await record(tx, staff, 'update', { id, day: values.day })
  })
}

/**
 * Makes a draft a version: from its day on it holds. With `notify` everybody is mailed. Throws `not_found`, and
 * `invalid` for a day that has passed or from which another version holds.
 */
export async function publishTerms(
  ctx: Ctx,
  staff: Staff,
  id: TermsOfServiceId,
  { notify }: { notify: boolean },
): Promise<void> {
  await ctx.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('terms_of_service'))`.execute(tx.db)
    const draft = await lockDraft(tx, id)
    const day = draft.day === dayOf(draft.created_at.getTime()) ? today(tx) : draft.day
    if (day < today(tx)) throw invalid('effective_date', 'day_past')
    const { rows } = await sql`
      select 1 from terms_of_service where effective_date = ${day}::date and published_at is not null`.execute(
      tx.db,
    )
    if (rows.length > 0) throw invalid('effective_date', 'day_of_other_version')
    const now = new Date(tx.clock.now())
    await sql`
      update terms_of_service set published_at = ${now}, effective_date = ${day}::date, updated_at = ${now}
      where id = ${id}`.execute(tx.db)
    await record(tx, staff, 'publish', { id, day })
    if (notify) await tx.emit({ type: 'terms.published', termsId: id })
  })
}

/** Mails everybody of a published version, once. Throws `not_found`, and `invalid` for drafts and when it was done. */
export async function announceTerms(ctx: Ctx, staff: Staff, id: TermsOfServiceId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { published_at: published, notified_at: notified, day } = await readTerms(tx, id, true)
    if (!published) throw invalid('base', 'terms_not_published')
    if (notified) throw invalid('base', 'terms_announced')
    await record(tx, staff, 'notify', { id, day })
    await tx.emit({ type: 'terms.published', termsId: id })
  })
}

/** Deletes a draft. Throws `not_found`, and `invalid` for what is published. */
export async function deleteTerms(ctx: Ctx, staff: Staff, id: TermsOfServiceId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { day } = await lockDraft(tx, id)
    await sql`delete from terms_of_service where id = ${id}`.execute(tx.db)
    await record(tx, staff, 'destroy', { id, day })
  })
}

async function lockDraft(tx: Tx, id: TermsOfServiceId): Promise<TermsRow> {
  const terms = await readTerms(tx, id, true)
  if (terms.published_at) throw invalid('base', 'terms_published')
  return terms
}

type Values = Pick<TermsRow, 'text' | 'changelog' | 'day'>

function readValues(input: TermsInput, before: Values): Values {
  const text = input.text === undefined ? before.text : cleanText(input.text).trim()
  const changelog = input.changelog === undefined ? before.changelog : cleanText(input.changelog).trim()
  const day = input.effectiveDate?.trim() || before.day
  if (text === '') throw invalid('text', 'blank')
  if (text.length > maxCharacters) throw invalid('text', 'long')
  if (changelog.length > maxCharacters) throw invalid('changelog', 'long')
  if (!isDay(day)) throw invalid('effective_date', 'no_such_day')
  return { text, changelog, day }
}

/** Whether this is a day of the calendar as ISO 8601 writes it. */
function isDay(text: string): boolean {
  if (!/^2\d{3}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const today = ({ clock }: Pick<Reader, 'clock'>) => dayOf(clock.now())

function record(tx: Tx, staff: Staff, action: string, { id, day }: { id: TermsOfServiceId; day: string }) {
  return recordAction(tx, staff, { action, targetType: 'terms_of_service', targetId: id, label: day })
}
