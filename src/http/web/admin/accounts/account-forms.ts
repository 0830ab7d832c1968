// The buttons of an account's page: what the viewer's role allows, of what makes sense now.
import { html } from 'hono/html'
import type { AdminAccount } from '#entities/admin/account.ts'
import { hasPermission, type Permission } from '#domain/identity/accounts/permissions.ts'
import { listRoles } from '#domain/identity/roles/queries.ts'
import { limitKinds, type LimitKind } from '#domain/trust/moderation/account-limits.ts'
import type { LoginFacts } from '#domain/trust/moderation/load-login-facts.ts'
import type { AccountId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderForm, renderSelect } from '../../kit/form.ts'
import type { Html } from '../../kit/html.ts'
import { decisionKeys } from '../decisions/decision.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import { renderAct } from '../kit/parts.ts'

/** Whether the limit is on the account now. */
function isOn(account: AdminAccount, kind: LimitKind): boolean {
  if (kind === 'sensitive') return account.sensitized
  if (kind === 'silence') return account.silenced
  return kind === 'disable' ? account.disabled : account.suspended
}

/** All that may be done about an account, one button each. */
export function renderActs(call: DeskCall, account: AdminAccount, login: LoginFacts | null): Html {
  const t = textsIn(call.language).pages.admin
  const path = `/admin/accounts/${account.id}`
  const isWaiting = login !== null && !account.approved
  return html`<div class="decisions" role="group" aria-label="${t.report.decide}">
    ${isWaiting ? renderSignUpActs(call, path) : ''}
    ${renderLink(`${path}/decide?type=none`, t.decisions.none.name, decisionKeys.none)}
    ${limitKinds
      .filter((kind) => kind !== 'disable' || login !== null)
      .map((kind) =>
        isOn(account, kind)
          ? renderAct(call, {
              action: `${path}/lift`,
              hidden: { kind },
              label: t.account.lift[kind],
              key: decisionKeys[kind],
            })
          : renderLink(`${path}/decide?type=${kind}`, t.decisions[kind].name, decisionKeys[kind]),
      )}
    ${renderSteps(call, account, login)}
  </div>`
}

function renderSignUpActs(call: DeskCall, path: string): Html {
  const t = textsIn(call.language).pages.admin.bulk.actions
  return html`${renderAct(call, { action: `${path}/approve`, label: t.approve, key: 'y' })}
  ${renderLink(`${path}/reject`, t.reject, 'z')}`
}

/** What is asked about once more on a page of its own. */
function renderSteps(call: DeskCall, account: AdminAccount, login: LoginFacts | null): Html {
  const t = textsIn(call.language).pages.admin.account.steps
  const may = (permission: Permission) => hasPermission(call.viewer, permission)
  const steps = [
    ...(login?.has_factor && may('manage_user_access') ? (['disable_2fa'] as const) : []),
    ...(login && may('delete_user_data')
      ? ([account.account.memorial ? 'unmemorialize' : 'memorialize'] as const)
      : []),
    ...(account.suspended && may('delete_user_data') ? (['delete'] as const) : []),
  ]
  return html`${steps.map((step) => renderLink(`/admin/accounts/${account.id}/${step}`, t[step].name))}`
}

const renderLink = (href: string, label: string, key?: string): Html =>
  key === undefined
    ? html`<a class="button quiet" href="${href}">${label}</a>`
    : html`<div class="act" data-key="${key}">
        <a class="button quiet" href="${href}">${label}</a><kbd aria-hidden="true">${key}</kbd>
      </div>`

/** The role, with those that the viewer may give. */
export async function renderRoleForm(call: DeskCall, id: AccountId, login: LoginFacts): Promise<Html> {
  const t = textsIn(call.language).pages.admin
  const roles = await listRoles(call.ctx)
  const given = roles.filter(
    (role) => role.name !== '' && (role.position < call.viewer.rank || role.id === login.role_id),
  )
  return renderForm(call, {
    action: `/admin/accounts/${id}/role`,
    fields: [
      renderSelect({
        name: 'role_id',
        label: t.accounts.role,
        value: login.role_id ?? '',
        choices: [
          { value: '', label: t.account.noRole },
          ...given.map((role) => ({ value: role.id, label: role.name })),
        ],
      }),
    ],
    submit: t.save,
    quiet: true,
  })
}
