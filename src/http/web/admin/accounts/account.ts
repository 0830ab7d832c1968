// One account with all that staff need to decide about it.
import { html } from 'hono/html'
import type { AdminAccount } from '#entities/admin/account.ts'
import { listSessions } from '#domain/identity/oauth/sessions.ts'
import { readAccountStatuses } from '#domain/reading/timelines/account.ts'
import { listLimitEnds } from '#domain/trust/moderation/limit-ends.ts'
import { findLoginFacts, type LoginFacts } from '#domain/trust/moderation/load-login-facts.ts'
import { listNotes } from '#domain/trust/moderation/notes.ts'
import { listReports } from '#domain/trust/moderation/reports/staff-reports.ts'
import { listStrikes } from '#domain/trust/moderation/strikes.ts'
import { hasPermission } from '#domain/identity/accounts/permissions.ts'
import type { AccountId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { readUserAgent } from '#lib/net/user-agent.ts'
import { viewSeen } from '#views/content/statuses.ts'
import { viewAdminAccount } from '#views/identity/admin-accounts.ts'
import { viewNotes } from '#views/trust/admin-reports.ts'
import { renderRichText } from '../../kit/emojify.ts'
import type { Html } from '../../kit/html.ts'
import { renderName } from '../../public/post-parts.ts'
import { renderPost } from '../../public/post.ts'
import { decisionPaths, renderNotes } from '../decisions/notes.ts'
import { renderStrikes } from '../decisions/strikes.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import { renderDesk } from '../kit/desk.ts'
import { idParam } from '../kit/params.ts'
import { renderMoment, renderPanel, renderPerson } from '../kit/parts.ts'
import { renderFacts } from '../kit/table.ts'
import { renderActs, renderRoleForm } from './account-forms.ts'
import { renderStates } from './accounts.ts'

/** Posts, reports and the like that are shown of somebody; the rest is behind a link. */
const fewest = 10

export async function showAccount(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin
  const id = idParam<AccountId>(call)
  const account = await viewAdminAccount(call.ctx, id)
  const login = await findLoginFacts(call.ctx, id)
  const path = `/admin/accounts/${id}`
  const notes = await listNotes(call.ctx, { targetAccountId: id }, { limit: 40 })
  const strikes = await listStrikes(call.ctx, id, { limit: 40 })
  const body = html`${renderActs(call, account, login)}
    <div class="panels wide-first">
      <div>
        ${renderPanel(t.account.profile, renderProfile(call, account))}
        ${renderPanel(t.account.strikes, renderStrikes(call, strikes.items))}
        ${
          hasPermission(call.viewer, 'manage_reports')
            ? html`${renderPanel(t.account.notes, renderNotes(call, await viewNotes(call.ctx, notes.items), decisionPaths(`${path}/notes`)))}
              ${await renderReports(call, id)}`
            : ''
        }
        ${await renderStatuses(call, account, id)}
      </div>
      <div>
        ${renderPanel(t.account.facts, await renderHistory(call, account, login))}
        ${login ? renderPanel(t.account.addresses, renderAddresses(call, account)) : ''}
        ${login ? await renderSessions(call, login) : ''}
        ${login && hasPermission(call.viewer, 'manage_roles') ? renderPanel(t.accounts.role, await renderRoleForm(call, id, login)) : ''}
      </div>
    </div>`
  return renderDesk(call, {
    title: `@${account.account.acct}`,
    beside: renderStates(call, account),
    trail: [['/admin/accounts', t.sections.accounts]],
    body,
    withPosts: true,
  })
}

function renderProfile(call: DeskCall, { account }: AdminAccount): Html {
  const t = textsIn(call.language).pages.admin.account
  const number = (count: number) => new Intl.NumberFormat(call.language).format(count)
  const relations = `/admin/accounts/${account.id}/relationships`
  return html`${renderPerson(call, account)}
    <div class="content" dir="auto">${renderRichText(account.note, account.emojis)}</div>
    ${renderFacts([
      ...account.fields.map(
        ({ name, value }) =>
          [
            renderName(name, account.emojis),
            html`<span class="content">${renderRichText(value, account.emojis)}</span>`,
          ] as const,
      ),
      [t.posts, html`<a href="/admin/accounts/${account.id}/statuses">${number(account.statuses_count)}</a>`],
      [t.followers, html`<a href="${relations}?kind=followers">${number(account.followers_count)}</a>`],
      [t.following, html`<a href="${relations}?kind=following">${number(account.following_count)}</a>`],
    ])}
    <p><a href="${account.url}" rel="nofollow noopener">${t.open}</a></p>`
}

async function renderHistory(call: DeskCall, account: AdminAccount, login: LoginFacts | null): Promise<Html> {
  const all = textsIn(call.language).pages.admin
  const t = all.account
  const ends = await listLimitEnds(call.ctx, idParam<AccountId>(call))
  const inviter = account.invited_by_account_id
  return renderFacts([
    [t.joined, renderMoment(call, account.created_at)],
    [
      all.accounts.domain,
      account.domain === null || !hasPermission(call.viewer, 'manage_federation')
        ? account.domain
        : html`<a href="/admin/instances/${account.domain}"><bdi>${account.domain}</bdi></a>`,
    ],
    [t.lastPost, account.account.last_status_at],
    [all.accounts.email, account.email],
    [t.newEmail, login?.unconfirmed_email ?? null],
    [t.confirmed, login && (account.confirmed ? all.yes : all.no)],
    [t.lastActive, login?.last_active_at ? renderMoment(call, login.last_active_at) : null],
    [t.language, account.locale],
    [t.factor, login && (login.has_factor ? all.yes : all.no)],
    [t.application, login && (login.application ?? t.website)],
    [
      t.inviter,
      login?.inviter
        ? inviter
          ? html`<a href="/admin/accounts/${inviter}">@${login.inviter}</a>`
          : login.inviter
        : null,
    ],
    [all.accounts.reason, account.invite_request],
    [t.deletionDue, login?.deletion_due_at ? renderMoment(call, login.deletion_due_at) : null],
    ...ends.map(
      ({ limitKind, endsAt }) =>
        [
          t.limitEnds({ limit: all.decisions[limitKind as 'silence'].name }),
          renderMoment(call, endsAt),
        ] as const,
    ),
  ])
}

/** From where they came, each with the others who came from there. */
const renderAddresses = (call: DeskCall, { ips }: AdminAccount): Html =>
  ips.length === 0
    ? html`<p class="soft">${textsIn(call.language).pages.admin.account.noAddresses}</p>`
    : html`<ul class="rows">
        ${ips.map(
          ({ ip, used_at: at }) =>
            html`<li>
              <a href="/admin/accounts?${new URLSearchParams({ ip })}">${ip}</a>
              <small class="soft">${renderMoment(call, at)}</small>
            </li>`,
        )}
      </ul>`

async function renderSessions(call: DeskCall, login: LoginFacts): Promise<Html> {
  const t = textsIn(call.language).pages.admin.account
  const sessions = await listSessions(call.ctx, login.user_id)
  const rows = sessions.slice(0, fewest).map(({ userAgent, address, lastSeenAt }) => {
    const { browser, system } = readUserAgent(userAgent)
    return html`<li>
      <span
        >${[browser, system].filter(Boolean).join(' · ') || t.unknownBrowser}
        <small class="soft">${address}</small></span
      >
      <small class="soft">${renderMoment(call, lastSeenAt)}</small>
    </li>`
  })
  const body =
    rows.length === 0
      ? html`<p class="soft">${t.noSessions}</p>`
      : html`<ul class="rows">
          ${rows}
        </ul>`
  return renderPanel(t.sessions, body)
}

async function renderReports(call: DeskCall, id: AccountId): Promise<Html> {
  const t = textsIn(call.language).pages.admin
  const lists = [
    [t.account.reportsWaiting, { targetAccountId: id }],
    [t.account.reportsSettled, { targetAccountId: id, resolved: true }],
    [t.account.reportsMade, { accountId: id }],
    [t.account.reportsMadeSettled, { accountId: id, resolved: true }],
  ] as const
  const parts: (readonly [string, Html | null])[] = []
  for (const [name, filter] of lists) {
    const { items } = await listReports(call.ctx, filter, { limit: fewest })
    const links = items.map(
      (one) => html`<a href="/admin/reports/${one.id}">${t.categories[one.category]}</a> `,
    )
    parts.push([name, items.length === 0 ? null : html`${links}`])
  }
  const isNone = parts.every(([, links]) => links === null)
  return renderPanel(
    t.sections.reports,
    isNone ? html`<p class="soft">${t.account.noReports}</p>` : renderFacts(parts),
  )
}

async function renderStatuses(call: DeskCall, account: AdminAccount, id: AccountId): Promise<Html> {
  const t = textsIn(call.language).pages.admin.account
  const query = { accountId: id, options: { excludeReblogs: true } }
  const page = await readAccountStatuses(call.ctx, call.viewer.accountId, query, { limit: 5 })
  const statuses = await viewSeen(call.ctx, call.viewer, page)
  if (statuses.length === 0) return renderPanel(t.posts, html`<p class="soft">${t.noPosts}</p>`)
  return renderPanel(
    t.posts,
    html`<div class="posts">${statuses.map((status) => renderPost(call.language, status))}</div>
      <p><a href="/admin/accounts/${account.id}/statuses">${t.allPosts}</a></p>`,
  )
}
