// What staff tell each other about a report or an account.
import { sql, type Selectable } from 'kysely'
import type { ModerationNotesTable } from '#db/schema/moderation.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { assertOutranks } from '#domain/identity/accounts/staff.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import type { AccountId, ModerationNoteId, ReportId } from '#lib/id.ts'

/** What a note is about. */
export type NoteSubject = { reportId: ReportId } | { targetAccountId: AccountId }

export interface NoteRow extends Pick<
  Selectable<ModerationNotesTable>,
  'id' | 'report_id' | 'target_account_id' | 'text' | 'created_at'
> {
  /** Who wrote it. Null when they are gone. */
  account_id: AccountId | null
}

const columns = sql`n.id, n.account_id, n.report_id, n.target_account_id, n.text, n.created_at`
const maxTextLength = 2000

const toColumns = (subject: NoteSubject) => ({
  reportId: 'reportId' in subject ? subject.reportId : null,
  targetAccountId: 'targetAccountId' in subject ? subject.targetAccountId : null,
})

/** The notes about one report or account, newest first. Throws `not_found` when there is no such report or account. */
export async function listNotes(
  reader: Reader,
  subject: NoteSubject,
  page: PageRequest,
): Promise<Page<NoteRow>> {
  await assertThere(reader, subject)
  const about =
    'reportId' in subject
      ? sql`n.report_id = ${subject.reportId}`
      : sql`n.target_account_id = ${subject.targetAccountId}`
  const { rows } = await sql<NoteRow>`
    select ${columns} from moderation_notes n where ${about} and ${inPage('n.id', page)}
    ${orderAndLimit('n.id', page)}`.execute(reader.db)
  return toPage(rows, page, (row) => row.id)
}

/** The handle of the account, or the number of the report. Throws `not_found`. */
async function assertThere(reader: Reader, subject: NoteSubject): Promise<string> {
  const { rows } =
    'reportId' in subject
      ? await sql<{ label: string }>`
          select '#' || id as label from reports where id = ${subject.reportId}`.execute(reader.db)
      : await sql<{ label: string }>`
          select concat_ws('@', username, domain) as label from accounts
          where id = ${subject.targetAccountId}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0].label
}

/** Writes a note. Throws `not_found`, and `invalid` for one that is empty or too long. */
export async function createNote(
  ctx: Ctx,
  staff: Viewer,
  subject: NoteSubject,
  words: string | undefined,
): Promise<NoteRow> {
  const text = words?.trim() ?? ''
  if (text === '') throw invalid('text', 'blank')
  if ([...text].length > maxTextLength) throw invalid('text', 'too_long', { max: maxTextLength })
  return ctx.transaction(async (tx) => {
    const label = await assertThere(tx, subject)
    const { reportId, targetAccountId } = toColumns(subject)
    const { rows } = await sql<NoteRow>`
      insert into moderation_notes as n (id, account_id, report_id, target_account_id, text, created_at)
      values (${tx.newId()}, ${staff.accountId}, ${reportId}, ${targetAccountId}, ${text},
        ${new Date(tx.clock.now())})
      returning ${columns}`.execute(tx.db)
    const note = rows[0] as NoteRow
    await recordAction(tx, staff, { action: 'create', ...targetOf(note), label })
    return note
  })
}

/**
 * Removes a note: one's own, or one by somebody whom one outranks. Throws `not_found`, and `forbidden` for others'.
 */
export async function deleteNote(ctx: Ctx, staff: Viewer, id: ModerationNoteId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<NoteRow>`
      delete from moderation_notes n where n.id = ${id} returning ${columns}`.execute(tx.db)
    const note = rows[0]
    if (!note) throw notFound()
    if (note.account_id !== null && note.account_id !== staff.accountId)
      await assertOutranks(tx, staff, note.account_id)
    await recordAction(tx, staff, { action: 'destroy', ...targetOf(note), details: { text: note.text } })
  })
}

const targetOf = (note: NoteRow) => ({
  targetType: note.report_id === null ? 'account_moderation_note' : 'report_note',
  targetId: note.id,
})
