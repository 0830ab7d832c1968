// The accounts, as a list with all filters of the API.
import { html } from 'hono/html'
import type { AdminAccount } from '#entities/admin/account.ts'
import { listRoles, type RoleRow } from '#domain/identity/roles/queries.ts'
import { listAccounts, type AccountFilter } from '#domain/trust/moderation/list-accounts.ts'
import type { AccountId, RoleId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewAdminAccounts } from '#views/identity/admin-accounts.ts'
import { textParam } from '../../kit/form.ts'
import type { Html } from '../../kit/html.ts'
import type { Page } from '../../kit/page.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderDesk } from '../kit/desk.ts'
import { renderFilters } from '../kit/filters.ts'
import { pageOf, renderPager } from '../kit/links.ts'
import { optionalId, wordParam } from '../kit/params.ts'
import { renderBadge, renderMoment, renderPerson, renderTabs } from '../kit/parts.ts'
import { renderBulk } from '../kit/table.ts'
import { bulkActionsFor, bulkPath } from './bulk.ts'

export const accountStates = ['active', 'pending', 'disabled', 'silenced', 'suspended', 'sensitized'] as const
const origins = ['local', 'remote'] as const

function filterOf(call: DeskCall): AccountFilter {
  const [state, origin] = [wordParam(call, 'status', accountStates), wordParam(call, 'origin', origins)]
  const role = optionalId<RoleId>(call, 'role_ids')
  return {
    ...(origin && { [origin]: true }),
    ...(state && { [state]: true }),
    staff: textParam(call.params, 'permissions') === 'staff',
    ...(role !== undefined && { roleIds: [role] }),
    invitedBy: optionalId<AccountId>(call, 'invited_by'),
    username: textParam(call.params, 'username'),
    displayName: textParam(call.params, 'display_name'),
    domain: textParam(call.params, 'by_domain'),
    email: textParam(call.params, 'email'),
    ip: textParam(call.params, 'ip'),
  }
}

async function show(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin
  const page = await listAccounts(call.ctx, filterOf(call), pageOf(call))
  const accounts = await viewAdminAccounts(call.ctx, page.items)
  const isPending = textParam(call.params, 'status') === 'pending'
  const table = renderBulk(
    call,
    {
      caption: t.sections.accounts,
      columns: [
        { label: t.accounts.name },
        { label: t.accounts.state },
        { label: isPending ? t.accounts.reason : t.accounts.email },
        { label: t.accounts.ip },
        { label: t.account.posts, numeric: true },
        { label: t.account.followers, numeric: true },
        { label: t.account.joined },
      ],
      rows: accounts.map((account) => renderRow(call, account, isPending)),
      none: t.accounts.none,
    },
    { action: bulkPath, actions: bulkActionsFor(call, isPending) },
  )
  const tabs = renderTabs(call, [
    { label: t.accounts.all, changes: { status: null, origin: null } },
    { label: t.accounts.local, changes: { origin: 'local', status: null } },
    { label: t.accounts.states.pending, changes: { status: 'pending', origin: null } },
    { label: t.accounts.states.silenced, changes: { status: 'silenced', origin: null } },
    { label: t.accounts.states.suspended, changes: { status: 'suspended', origin: null } },
  ])
  const filters = renderFilterForm(call, await listRoles(call.ctx))
  const body = html`${tabs} ${filters} ${table} ${renderPager(call, page)}`
  return renderDesk(call, { title: t.sections.accounts, body })
}

function renderFilterForm(call: DeskCall, roles: readonly RoleRow[]): Html {
  const t = textsIn(call.language).pages.admin.accounts
  const any = { value: '', label: textsIn(call.language).pages.admin.any }
  return renderFilters(
    call,
    [
      {
        name: 'origin',
        label: t.origin,
        choices: [any, ...origins.map((value) => ({ value, label: t[value] }))],
      },
      {
        name: 'status',
        label: t.state,
        choices: [any, ...accountStates.map((value) => ({ value, label: t.states[value] }))],
      },
      { name: 'username', label: t.username },
      { name: 'display_name', label: t.displayName },
      { name: 'by_domain', label: t.domain },
      { name: 'email', label: t.email },
      { name: 'ip', label: t.ip },
      {
        name: 'role_ids',
        label: t.role,
        choices: [
          any,
          ...roles.filter(({ name }) => name !== '').map(({ id, name }) => ({ value: id, label: name })),
        ],
      },
      { name: 'permissions', label: t.work, choices: [any, { value: 'staff', label: t.staff }] },
    ],
    ['invited_by'],
  )
}

function renderRow(call: DeskCall, account: AdminAccount, isPending: boolean) {
  const { language } = call
  const number = (count: number) => new Intl.NumberFormat(language).format(count)
  return {
    id: account.id,
    label: `@${account.account.acct}`,
    cells: [
      renderPerson(call, account.account),
      renderStates(call, account),
      isPending
        ? html`<span class="said" dir="auto">${account.invite_request ?? ''}</span>
            <small class="soft">${account.email ?? ''}</small>`
        : (account.email ?? ''),
      account.ip ?? '',
      number(account.account.statuses_count),
      number(account.account.followers_count),
      renderMoment(call, account.created_at),
    ],
  }
}

/** What holds of an account, each as a word. */
export function renderStates(call: DeskCall, account: AdminAccount): Html {
  const t = textsIn(call.language).pages.admin.accounts
  const isLocal = account.domain === null
  const states = [
    ...(account.suspended ? [renderBadge(t.states.suspended, 'alarm')] : []),
    ...(account.silenced ? [renderBadge(t.states.silenced, 'alarm')] : []),
    ...(account.sensitized ? [renderBadge(t.states.sensitized, 'alarm')] : []),
    ...(account.disabled ? [renderBadge(t.states.disabled, 'alarm')] : []),
    ...(isLocal && !account.confirmed ? [renderBadge(t.unconfirmed, 'main')] : []),
    ...(isLocal && !account.approved ? [renderBadge(t.states.pending, 'main')] : []),
    ...(account.role?.name ? [renderBadge(account.role.name)] : []),
    ...(account.account.memorial ? [renderBadge(t.memorial)] : []),
  ]
  return html`${states.length === 0 ? renderBadge(t.states.active, 'good') : states}`
}

export const pages: readonly Page[] = [
  adminPage({ path: '/admin/accounts', permission: 'manage_users', handle: show }),
]
