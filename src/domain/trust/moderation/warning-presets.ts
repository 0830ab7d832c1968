// Texts that staff use again and again when they warn people.
import { sql, type Selectable } from 'kysely'
import type { WarningPresetsTable } from '#db/schema/moderation.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { invalid, notFound } from '#lib/errors.ts'
import type { Field } from '#lib/messages/describe-error.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import type { WarningPresetId } from '#lib/id.ts'

export type WarningPreset = Pick<
  Selectable<WarningPresetsTable>,
  'id' | 'title' | 'text' | 'created_at' | 'updated_at'
>

/** What is not given is empty, or stays. */
export interface PresetInput {
  title?: string | undefined
  text?: string | undefined
}

/** Characters that a preset, or a text of staff's, may have. */
export const maxWarningText = 5000
const maxTitle = 200

const columns = sql`id, title, text, created_at, updated_at`

/** All of them by their titles. They are few. */
export async function listWarningPresets(reader: Reader): Promise<WarningPreset[]> {
  const { rows } = await sql<WarningPreset>`
    select ${columns} from warning_presets order by title, id`.execute(reader.db)
  return rows
}

/** Throws `not_found`. */
export async function getWarningPreset(reader: Reader, id: WarningPresetId): Promise<WarningPreset> {
  const { rows } = await sql<WarningPreset>`select ${columns} from warning_presets where id = ${id}`.execute(
    reader.db,
  )
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Throws `invalid` for an empty text or what is too long. */
export async function createWarningPreset(
  ctx: Ctx,
  staff: Staff,
  input: PresetInput,
): Promise<WarningPreset> {
  const { title, text } = check({ title: input.title ?? '', text: input.text ?? '' })
  const now = new Date(ctx.clock.now())
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<WarningPreset>`
      insert into warning_presets (id, title, text, created_at, updated_at)
      values (${tx.newId()}, ${title}, ${text}, ${now}, ${now}) returning ${columns}`.execute(tx.db)
    const preset = rows[0] as WarningPreset
    await recordAction(tx, staff, toAction('create', preset))
    return preset
  })
}

/** Throws `not_found` and `invalid`. */
export async function updateWarningPreset(
  ctx: Ctx,
  staff: Staff,
  id: WarningPresetId,
  input: PresetInput,
): Promise<WarningPreset> {
  return ctx.transaction(async (tx) => {
    await sql`select 1 from warning_presets where id = ${id} for update`.execute(tx.db)
    const before = await getWarningPreset(tx, id)
    const { title, text } = check({ title: input.title ?? before.title, text: input.text ?? before.text })
    const { rows } = await sql<WarningPreset>`
      update warning_presets set title = ${title}, text = ${text}, updated_at = ${new Date(tx.clock.now())}
      where id = ${id} returning ${columns}`.execute(tx.db)
    const preset = rows[0] as WarningPreset
    await recordAction(tx, staff, toAction('update', preset))
    return preset
  })
}

/** Throws `not_found`. */
export async function deleteWarningPreset(ctx: Ctx, staff: Staff, id: WarningPresetId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<WarningPreset>`
      delete from warning_presets where id = ${id} returning ${columns}`.execute(tx.db)
    if (!rows[0]) throw notFound()
    await recordAction(tx, staff, toAction('destroy', rows[0]))
  })
}

const toAction = (action: string, { id, title, text }: WarningPreset) => ({
  action,
  targetType: 'warning_preset',
  targetId: id,
  label: title || text.slice(0, 100),
})

function check({ title, text }: { title: string; text: string }): { title: string; text: string } {
  if (text.trim() === '') throw invalid('text', 'blank')
  assertLength('text', text, maxWarningText)
  assertLength('title', title, maxTitle)
  return { title: title.trim(), text: text.trim() }
}

/** Throws `invalid`. */
export function assertLength(name: Field, text: string, max: number): void {
  if ([...text].length <= max) return
  throw invalid(name, 'too_long', { max })
}
