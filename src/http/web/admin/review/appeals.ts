// What people say against decisions about them.
import { html } from 'hono/html'
import type { AdminAppeal } from '#entities/admin/report.ts'
import { decideAppeal, listAppeals } from '#domain/trust/moderation/appeals.ts'
import type { AppealId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewAppeals } from '#views/trust/admin-appeals.ts'
import { redirectWith } from '../../kit/flash.ts'
import type { Html } from '../../kit/html.ts'
import type { Page } from '../../kit/page.ts'
import { renderPost } from '../../public/post.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderDesk } from '../kit/desk.ts'
import { pageOf, renderPager } from '../kit/links.ts'
import { idParam, wordParam } from '../kit/params.ts'
import { renderAct, renderBadge, renderMoment, renderPerson, renderTabs } from '../kit/parts.ts'

const path = '/admin/appeals'
const permission = 'manage_appeals'
const states = ['pending', 'approved', 'rejected'] as const
const appealsPerPage = 20

async function show(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin
  const state = wordParam(call, 'state', states) ?? 'pending'
  const page = await listAppeals(call.ctx, state, pageOf(call, appealsPerPage))
  const appeals = await viewAppeals(call.ctx, call.viewer.accountId, page.items)
  const tabs = renderTabs(
    call,
    states.map((one) => ({
      label: t.appeals.states[one],
      changes: { state: one === 'pending' ? null : one },
    })),
  )
  const body = html`${tabs}
  ${
    appeals.length === 0
      ? html`<p class="none">${t.appeals.none}</p>`
      : appeals.map((appeal, index) => renderAppeal(call, appeal, index === 0))
  }
  ${renderPager(call, page)}`
  return renderDesk(call, { title: t.sections.appeals, body, withPosts: true })
}

/** `hasKeys`: the keys decide this one, the first that waits. */
function renderAppeal(call: DeskCall, appeal: AdminAppeal, hasKeys: boolean): Html {
  const t = textsIn(call.language).pages.admin
  const { strike } = appeal
  const by = strike.account ? t.appeals.decidedBy({ name: strike.account.username }) : t.appeals.decidedByRule
  return html`<article class="panel" aria-labelledby="appeal-${appeal.id}">
    <h2 id="appeal-${appeal.id}">
      ${t.decisions[strike.action].name} ${renderBadge(t.appeals.states[appeal.state])}
    </h2>
    ${renderPerson(call, appeal.account)}
    <h3>${t.appeals.says}</h3>
    <blockquote class="said" dir="auto">${appeal.text}</blockquote>
    <p class="soft">${renderMoment(call, appeal.created_at)}</p>
    <h3>${t.appeals.decision}</h3>
    <p>${by} · ${renderMoment(call, strike.created_at)}</p>
    ${strike.text === '' ? '' : html`<blockquote class="said" dir="auto">${strike.text}</blockquote>`}
    ${strike.statuses.map((status) => renderPost(call.language, status))}
    ${strike.report_id === null ? '' : html`<p><a href="/admin/reports/${strike.report_id}">${t.report.name({ id: strike.report_id })}</a></p>`}
    ${appeal.state === 'pending' ? renderDecide(call, appeal.id, hasKeys) : renderDecided(call, appeal)}
  </article>`
}

function renderDecide(call: DeskCall, id: string, hasKeys: boolean): Html {
  const t = textsIn(call.language).pages.admin.appeals
  const key = (name: string) => (hasKeys ? { key: name } : {})
  return html`<p class="soft">${t.hint}</p>
    <div class="decisions">
      ${renderAct(call, { action: `${path}/${id}/approve`, label: t.approve, ...key('y') })}
      ${renderAct(call, { action: `${path}/${id}/reject`, label: t.reject, ...key('x') })}
    </div>`
}

function renderDecided(
  call: DeskCall,
  { decided_by_account: by, decided_at: at }: AdminAppeal,
): Html | string {
  const t = textsIn(call.language).pages.admin.appeals
  if (at === null) return ''
  return html`<p class="soft">${by ? t.decidedBy({ name: by.username }) : ''} ${renderMoment(call, at)}</p>`
}

const decide = (decision: 'approve' | 'reject') => async (call: DeskCall) => {
  await decideAppeal(call.ctx, call.viewer, idParam<AppealId>(call), decision)
  return redirectWith(call, path, { text: textsIn(call.language).pages.admin.appeals.did[decision] })
}

export const pages: readonly Page[] = [
  adminPage({ path: '/admin/appeals', permission, handle: show }),
  adminPage({
    method: 'POST',
    path: '/admin/appeals/:id{[0-9]+}/approve',
    permission,
    handle: decide('approve'),
  }),
  adminPage({
    method: 'POST',
    path: '/admin/appeals/:id{[0-9]+}/reject',
    permission,
    handle: decide('reject'),
  }),
]
