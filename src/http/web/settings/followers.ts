// Who follows from where, and letting go of all followers of one server.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { listFollowerDomains, removeFollowersOf } from '#domain/social/relationships/follower-domains.ts'
import { displayDomain } from '#lib/acct.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { forViewerAt } from '../kit/for-viewer.ts'
import { renderForm, textParam } from '../kit/form.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'

const path = '/settings/followers'
const removal = '/settings/followers/remove'

async function show(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.followers
  const domains = await listFollowerDomains(call.ctx, viewer.accountId)
  const rows = domains.map(
    ({ domain, followers }) =>
      html`<li>
        <div>
          <strong><bdi>${displayDomain(domain)}</bdi></strong>
          <span class="soft">${t.count({ n: followers })}</span>
        </div>
        ${renderForm(call, { action: removal, fields: [], hidden: { domain }, submit: t.remove, quiet: true })}
      </li>`,
  )
  const body =
    domains.length === 0
      ? html`<p>${t.none}</p>`
      : html`<p>${t.hint}</p>
          <ul class="rows">
            ${rows}
          </ul>`
  return renderPage(call, { title: t.title, body, wide: true })
}

async function remove(call: PageCall, viewer: Viewer): Promise<Response> {
  await removeFollowersOf(call.ctx, viewer, textParam(call.params, 'domain'))
  return redirectTo(path)
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/followers', handle: forViewer(show) },
  { method: 'POST', path: '/settings/followers/remove', handle: forViewer(remove) },
]
