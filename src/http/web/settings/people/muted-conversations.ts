// Conversations of which somebody hears no more, and the way back into them.
import { html } from 'hono/html'
import {
  listMutedConversations,
  unmuteConversation,
} from '#domain/content/statuses/interactions/mute-conversation.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { Status } from '#entities/status.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { renderForm, textParam } from '#http/web/kit/form.ts'
import type { Html } from '#http/web/kit/html.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { renderTime } from '#http/web/public/post-parts.ts'
import { notFound } from '#lib/errors.ts'
import { stripHtml } from '#lib/html/html.ts'
import { asId, type IdCursor, type StatusId } from '#lib/id.ts'
import { isId } from '#lib/ids.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { previewLine } from '#lib/text/text.ts'
import { viewStatuses } from '#views/content/statuses.ts'
import { leadToSaved, renderSettings } from '../settings-page.ts'
import { renderPerson } from './person.ts'

const path = '/settings/muted_conversations'
const perPage = 40
const maxWords = 140

async function show(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const asked = textParam(call.params, 'max_id')
  const before = isId(asked) ? { maxId: asked as IdCursor } : {}
  const page = await listMutedConversations(call.ctx, viewer.accountId, { limit: perPage, ...before })
  const statuses = await viewStatuses(call.ctx, viewer, page.items)
  const older =
    page.full && page.oldest !== null
      ? html`<p><a href="${path}?max_id=${page.oldest}">${t.relations.older}</a></p>`
      : ''
  const body = html`<p>${t.mutedConversations.hint}</p>
    ${
      statuses.length === 0
        ? html`<p class="soft">${t.mutedConversations.none}</p>`
        : html`<ul class="rows">
            ${statuses.map((status) => renderRow(call, status))}
          </ul>`
    }
    ${older}`
  return renderSettings(call, { title: t.places[path].name, body, pictures: true })
}

/** A conversation is known by the post with which it begins; its warning stands for what is below one. */
function renderRow(call: PageCall, status: Status): Html {
  const t = textsIn(call.language).pages.settings.mutedConversations
  const words = previewLine(status.spoiler_text || stripHtml(status.content), maxWords) || t.wordless
  const more = html`<br /><a href="/@${status.account.acct}/${status.id}"><bdi dir="auto">${words}</bdi></a>
    <small>${renderTime(call.language, status.created_at)}</small>`
  return html`<li>
    ${renderPerson(status.account, more)}
    ${renderForm(call, {
      action: `${path}/${status.id}/unmute`,
      fields: [],
      submit: t.unmute,
      about: words,
      quiet: true,
    })}
  </li>`
}

async function unmute(call: PageCall, viewer: Viewer): Promise<Response> {
  const id = textParam(call.params, 'id')
  if (!isId(id)) throw notFound()
  await unmuteConversation(call.ctx, viewer, asId<StatusId>(id))
  return leadToSaved(path)
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/muted_conversations', handle: forViewer(show) },
  {
    method: 'POST',
    path: '/settings/muted_conversations/:id{[0-9]+}/unmute',
    handle: forViewer(unmute),
  },
]
