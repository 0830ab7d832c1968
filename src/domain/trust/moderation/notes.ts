// What staff tell each other about a report, an account or another server.
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { ModerationNotesTable } from '#db/schema/moderation.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { assertOutranks } from '#domain/identity/accounts/staff.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import type { AccountId, HostNoteId, ModerationNoteId, ReportId } from '#lib/id.ts'

/** What a note is about. */
export type NoteSubject = { reportId: ReportId } | { targetAccountId: AccountId } | HostSubject

/** A server that is known here: the caller has made sure. */
export interface HostSubject {
  domain: string
}

export interface NoteRow extends Pick<
  Selectable<ModerationNotesTable>,
  'report_id' | 'target_account_id' | 'text' | 'created_at'
> {
  id: ModerationNoteId | HostNoteId
  /** Who wrote it. Null when they are gone. */
  account_id: AccountId | null
  /** Of the server that it is about. */
  domain: string | null
}

const columns = sql`n.id, n.account_id, n.report_id, n.target_account_id, null::text as domain, n.text, n.created_at`
const hostColumns = sql`
  n.id, n.account_id, null::bigint as report_id, null::bigint as target_account_id, n.domain, n.text, n.created_at`
const maxTextLength = 2000

const toColumns = (subject: Exclude<NoteSubject, HostSubject>) => ({
  reportId: 'reportId' in subject ? subject.reportId : null,
  targetAccountId: 'targetAccountId' in subject ? subject.targetAccountId : null,
})

/** The notes about one report, account or server, newest first. Throws `not_found` when there is no such report or account. */
export async function listNotes(
  reader: Reader,
  subject: NoteSubject,
  page: PageRequest,
): Promise<Page<NoteRow>> {
  await assertThere(reader, subject)
  const { rows } = await sql<NoteRow>`
    select ${about(subject)} and ${inPage('n.id', page)} ${orderAndLimit('n.id', page)}`.execute(reader.db)
  return toPage(rows, page, (row) => row.id)
}

function about(subject: NoteSubject): RawBuilder<unknown> {
  if ('domain' in subject) return sql`${hostColumns} from host_notes n where n.domain = ${subject.domain}`
  return 'reportId' in subject
    ? sql`${columns} from moderation_notes n where n.report_id = ${subject.reportId}`
    : sql`${columns} from moderation_notes n where n.target_account_id = ${subject.targetAccountId}`
}

/** The handle of the account, the number of the report, or the server. Throws `not_found`. */
async function assertThere(reader: Reader, subject: NoteSubject): Promise<string> {
  if ('domain' in subject) return subject.domain
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
    const note = await insertNote(tx, staff, subject, text)
    await recordAction(tx, staff, { action: 'create', ...targetOf(note), label })
    return note
  })
}

async function insertNote(tx: Tx, staff: Viewer, subject: NoteSubject, text: string): Promise<NoteRow> {
  const now = new Date(tx.clock.now())
  if ('domain' in subject) {
    const { rows } = await sql<NoteRow>`
      insert into host_notes as n (id, account_id, domain, text, created_at)
      values (${tx.newId()}, ${staff.accountId}, ${subject.domain}, ${text}, ${now})
      returning ${hostColumns}`.execute(tx.db)
    return rows[0] as NoteRow
  }
  const { reportId, targetAccountId } = toColumns(subject)
  const { rows } = await sql<NoteRow>`
    insert into moderation_notes as n (id, account_id, report_id, target_account_id, text, created_at)
    values (${tx.newId()}, ${staff.accountId}, ${reportId}, ${targetAccountId}, ${text}, ${now})
    returning ${columns}`.execute(tx.db)
  return rows[0] as NoteRow
}

/**
 * Removes a note: one's own, or one by somebody whom one outranks. Throws `not_found`, and `forbidden` for others'.
 * `host`: the server that it has to be about; without it notes about reports and accounts are meant.
 */
export async function deleteNote(
  ctx: Ctx,
  staff: Viewer,
  id: NoteRow['id'],
  host?: HostSubject,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const from = host
      ? sql`host_notes n where n.id = ${id} and n.domain = ${host.domain} returning ${hostColumns}`
      : sql`moderation_notes n where n.id = ${id} returning ${columns}`
    const { rows } = await sql<NoteRow>`delete from ${from}`.execute(tx.db)
    const note = rows[0]
    if (!note) throw notFound()
    if (note.account_id !== null && note.account_id !== staff.accountId)
      await assertOutranks(tx, staff, note.account_id)
    const label = await assertThere(tx, subjectOf(note))
    await recordAction(tx, staff, {
      action: 'destroy',
      ...targetOf(note),
      label,
      details: { text: note.text },
    })
  })
}

/** Each is about one of them: what a note is about takes it along when it goes. */
function subjectOf({
  domain,
  report_id: reportId,
  target_account_id: targetAccountId,
}: NoteRow): NoteSubject {
  if (domain !== null) return { domain }
  return reportId === null ? { targetAccountId: targetAccountId! } : { reportId }
}

function typeOf({ domain, report_id: reportId }: NoteRow): string {
  if (domain !== null) return 'host_note'
  return reportId === null ? 'account_moderation_note' : 'report_note'
}

const targetOf = (note: NoteRow) => ({
  targetType: typeOf(note),
  targetId: note.id,
})
