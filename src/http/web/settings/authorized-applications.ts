import { html } from 'hono/html'
import {
  listAuthorizedApplications,
  revokeApplication,
  type AuthorizedApplication,
} from '#domain/identity/oauth/revoke.ts'
import { isId } from '#lib/ids.ts'
import { notFound } from '#lib/errors.ts'
import { scopeText } from '../sign-in/scope-text.ts'
import { withoutIncluded } from '#domain/identity/oauth/scopes.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderForm, textParam } from '../kit/form.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { signInPath } from '../kit/return-to.ts'
import { asId, type ApplicationId } from '#lib/id.ts'

const listPath = '/oauth/authorized_applications'

async function showApplications(call: PageCall): Promise<Response> {
  if (!call.viewer) return redirectTo(signInPath(listPath), 302)
  const t = textsIn(call.language).pages.authorize
  const applications = await listAuthorizedApplications(call.ctx, call.viewer.userId)
  const body =
    applications.length === 0
      ? html`<p>${t.appsNone}</p>`
      : html`<p>${t.appsHint}</p>
          <ul class="rows">
            ${applications.map((application) => renderApplication(call, application))}
          </ul>`
  return renderPage(call, { title: t.appsTitle, body, wide: true })
}

function renderApplication(call: PageCall, application: AuthorizedApplication) {
  const t = textsIn(call.language).pages.authorize
  const dayOf = (time: Date) =>
    time.toLocaleDateString(call.language, { dateStyle: 'medium', timeZone: 'UTC' })
  const used = application.lastUsedAt ? t.lastUsed({ day: dayOf(application.lastUsedAt) }) : t.neverUsed
  const scopes = withoutIncluded(application.scopes).map((scope) => scopeText(call.language, scope))
  return html`<li>
    <div>
      <strong>${application.name}</strong>
      <span class="soft">${t.since({ day: dayOf(application.createdAt) })} · ${used}</span><br />
      <small>${scopes.join(' · ')}</small>
    </div>
    ${renderForm(call, { action: `${listPath}/${application.id}`, fields: [], submit: t.revoke, quiet: true })}
  </li>`
}

async function takeBack(call: PageCall): Promise<Response> {
  if (!call.viewer) return redirectTo(signInPath(listPath))
  const id = textParam(call.params, 'id')
  if (!isId(id)) throw notFound()
  await revokeApplication(call.ctx, call.viewer.userId, asId<ApplicationId>(id))
  return redirectTo(listPath)
}

export const pages: readonly Page[] = [
  { method: 'GET', path: '/oauth/authorized_applications', handle: showApplications },
  { method: 'POST', path: '/oauth/authorized_applications/:id', handle: takeBack },
  { method: 'DELETE', path: '/oauth/authorized_applications/:id', handle: takeBack },
]
