// What staff tell each other about another server.
import { createNote, deleteNote, listNotes } from '#domain/trust/moderation/notes.ts'
import type { HostNoteId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewNotes } from '#views/trust/admin-reports.ts'
import { redirectWith } from '../../kit/flash.ts'
import { textParam } from '../../kit/form.ts'
import type { Html } from '../../kit/html.ts'
import { renderNotes } from '../decisions/notes.ts'
import { hostOf } from './host-of.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { idParam } from '../kit/params.ts'
import { renderPanel } from '../kit/parts.ts'

const permission = 'manage_federation'

/** The newest of them, with a form for another. */
export async function renderHostNotes(call: DeskCall, domain: string): Promise<Html> {
  const t = textsIn(call.language).pages.admin
  const { items } = await listNotes(call.ctx, { domain }, { limit: 40 })
  const path = `/admin/instances/${domain}/notes`
  return renderPanel(
    t.account.notes,
    renderNotes(call, await viewNotes(call.ctx, items), { write: path, remove: path }),
  )
}

async function write(call: DeskCall): Promise<Response> {
  const host = await hostOf(call)
  await createNote(call.ctx, call.viewer, host, textParam(call.params, 'text'))
  return redirectWith(call, `/admin/instances/${host.domain}`, {
    text: textsIn(call.language).pages.admin.did.noted,
  })
}

async function remove(call: DeskCall): Promise<Response> {
  const host = await hostOf(call)
  await deleteNote(call.ctx, call.viewer, idParam<HostNoteId>(call), host)
  return redirectWith(call, `/admin/instances/${host.domain}`, {
    text: textsIn(call.language).pages.admin.notes.removed,
  })
}

export const pages = [
  adminPage({ method: 'POST', path: '/admin/instances/:domain/notes', permission, handle: write }),
  adminPage({
    method: 'POST',
    path: '/admin/instances/:domain/notes/:id{[0-9]+}/delete',
    permission,
    handle: remove,
  }),
]
