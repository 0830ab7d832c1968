// The browsers in which somebody is signed in.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import {
  endAllSessions,
  endOwnSession,
  listSessions,
  type ListedSession,
} from '#domain/identity/oauth/sessions.ts'
import { isId } from '#lib/ids.ts'
import { notFound } from '#lib/errors.ts'
import { readUserAgent } from '#lib/net/user-agent.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { forViewerAt } from '../kit/for-viewer.ts'
import { renderForm, textParam } from '../kit/form.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'
import type { Html } from '../kit/html.ts'
import { asId, type SessionId } from '#lib/id.ts'

const path = '/settings/sessions'

async function show(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.sessions
  const sessions = await listSessions(call.ctx, viewer.userId)
  const others = renderForm(call, {
    action: `${path}/end_others`,
    fields: [],
    submit: t.endOthers,
    quiet: true,
  })
  const body = html`<p>${t.hint}</p>
    <ul class="rows">
      ${sessions.map((session) => renderSession(call, session))}
    </ul>
    ${sessions.length > 1 ? others : html`<p class="soft">${t.none}</p>`}
    <p>${t.apps} <a href="/oauth/authorized_applications">${textsIn(call.language).pages.common.apps}</a></p>`
  return renderPage(call, { title: t.title, body, wide: true })
}

function renderSession(call: PageCall, session: ListedSession): Html {
  const t = textsIn(call.language).pages.sessions
  const isHere = session.id === call.browser.session?.id
  const end = renderForm(call, {
    action: `${path}/${session.id}/end`,
    fields: [],
    submit: t.end,
    quiet: true,
  })
  const seen = session.lastSeenAt.toLocaleString(call.language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  const day = session.createdAt.toLocaleDateString(call.language, { dateStyle: 'medium', timeZone: 'UTC' })
  return html`<li>
    <div>
      <strong>${browserText(call, session)}</strong> <span class="soft">${session.address}</span><br />
      <small>${t.signedIn({ day })} · ${isHere ? t.here : t.seen({ time: `${seen} UTC` })}</small>
    </div>
    ${isHere ? '' : end}
  </li>`
}

function browserText(call: PageCall, { userAgent }: ListedSession): string {
  const t = textsIn(call.language).pages.sessions
  const { browser, system } = readUserAgent(userAgent)
  return browser && system ? t.on({ browser, system }) : (browser ?? system ?? t.unknown)
}

async function endOne(call: PageCall, viewer: Viewer): Promise<Response> {
  const id = textParam(call.params, 'id')
  if (!isId(id)) throw notFound()
  await call.ctx.transaction((tx) => endOwnSession(tx, viewer.userId, asId<SessionId>(id)))
  return redirectTo(path)
}

async function endOthers(call: PageCall, viewer: Viewer): Promise<Response> {
  const except = call.browser.session?.id ?? null
  await call.ctx.transaction((tx) => endAllSessions(tx, viewer.userId, { except }))
  return redirectTo(path)
}

/** Also for those who are not let in yet, or whose account moved away. */
const forViewer = forViewerAt(path, () => true)

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/sessions', handle: forViewer(show) },
  { method: 'POST', path: '/settings/sessions/end_others', handle: forViewer(endOthers) },
  { method: 'POST', path: '/settings/sessions/:id/end', handle: forViewer(endOne) },
]
