// What staff tell each other about a report or an account.
import { html } from 'hono/html'
import type { AdminNote } from '#entities/admin/account.ts'
import { deleteNote } from '#domain/trust/moderation/notes.ts'
import type { ModerationNoteId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { redirectWith } from '../../kit/flash.ts'
import { renderField, renderForm, textParam } from '../../kit/form.ts'
import type { Html } from '../../kit/html.ts'
import type { Page } from '../../kit/page.ts'
import { localPath } from '../../kit/return-to.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { idParam } from '../kit/params.ts'
import { renderMoment } from '../kit/parts.ts'

/** Where notes are written, and below which address each is deleted. */
interface NotePaths {
  write: string
  remove: string
}

/** Of notes about a report or an account, which are written there. */
export const decisionPaths = (write: string): NotePaths => ({ write, remove: '/admin/moderation_notes' })

/** Notes, newest first, with a form for another; without `paths` they are only shown. */
export function renderNotes(call: DeskCall, notes: readonly AdminNote[], paths: NotePaths | null): Html {
  const t = textsIn(call.language).pages.admin.notes
  const form =
    paths === null
      ? ''
      : renderForm(call, {
          action: paths.write,
          fields: [renderField({ name: 'text', label: t.text, hint: t.hint, rows: 3, maxLength: 2000 })],
          submit: t.write,
          quiet: true,
        })
  return html`${
    notes.length === 0
      ? html`<p class="soft">${t.none}</p>`
      : html`<ul class="rows">
          ${notes.map((note) => renderNote(call, note, paths))}
        </ul>`
  }
  ${form}`
}

function renderNote(call: DeskCall, note: AdminNote, paths: NotePaths | null): Html {
  const t = textsIn(call.language).pages.admin.notes
  const author = note.account ? `@${note.account.acct}` : t.gone
  const remove =
    paths &&
    renderForm(call, {
      action: `${paths.remove}/${note.id}/delete`,
      hidden: { return_to: call.url.pathname },
      fields: [],
      submit: t.remove,
      quiet: true,
    })
  return html`<li>
    <div>
      <p class="said" dir="auto">${note.text}</p>
      <small class="soft"><bdi>${author}</bdi> · ${renderMoment(call, note.created_at)}</small>
    </div>
    ${remove ?? ''}
  </li>`
}

async function remove(call: DeskCall): Promise<Response> {
  await deleteNote(call.ctx, call.viewer, idParam<ModerationNoteId>(call))
  const back = localPath(textParam(call.params, 'return_to'))
  return redirectWith(call, back, { text: textsIn(call.language).pages.admin.notes.removed })
}

export const pages: readonly Page[] = [
  adminPage({
    method: 'POST',
    path: '/admin/moderation_notes/:id{[0-9]+}/delete',
    permission: 'manage_reports',
    handle: remove,
  }),
]
