// What is done to many accounts at once: first a page that says what will happen to each.
import { html } from 'hono/html'
import type { AdminAccount } from '#entities/admin/account.ts'
import { filterOutranked } from '#domain/identity/accounts/staff.ts'
import { liftLimit } from '#domain/trust/moderation/account-limits.ts'
import { decideSignUp } from '#domain/trust/moderation/decide-sign-up.ts'
import { takeAction } from '#domain/trust/moderation/take-action.ts'
import { isAppError } from '#lib/errors.ts'
import { asId, type AccountId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewAdminAccounts } from '#views/identity/admin-accounts.ts'
import { isTicked } from '../../kit/controls.ts'
import { redirectWith } from '../../kit/flash.ts'
import { renderCheckbox, renderField, textParam } from '../../kit/form.ts'
import { redirectTo } from '../../kit/layout.ts'
import type { Html } from '../../kit/html.ts'
import type { Page } from '../../kit/page.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderConfirm, requireTicked } from '../kit/confirm.ts'
import { wordParam } from '../kit/params.ts'
import { renderPerson } from '../kit/parts.ts'
import type { BulkAction } from '../kit/table.ts'

export const bulkPath = '/admin/accounts/bulk'
const list = '/admin/accounts'

const signUps = ['approve', 'reject'] as const
const limits = ['silence', 'suspend'] as const
const lifts = ['unsilence', 'unsuspend'] as const
const actions = [...signUps, ...limits, ...lifts] as const
type Action = (typeof actions)[number]

const isSignUp = (action: Action): action is (typeof signUps)[number] => signUps.some((one) => one === action)
const isLimit = (action: Action): action is (typeof limits)[number] => limits.some((one) => one === action)

/** What may be done to the rows that are ticked. */
export function bulkActionsFor(call: DeskCall, isPending: boolean): BulkAction[] {
  const t = textsIn(call.language).pages.admin.bulk
  const offered: readonly Action[] = isPending ? signUps : [...limits, ...lifts]
  return offered.map((value) => ({
    value,
    label: t.actions[value],
    alarming: value === 'reject' || value === 'suspend',
  }))
}

/** Whether it would change anything about this account. */
function applies(action: Action, account: AdminAccount): boolean {
  if (isSignUp(action)) return account.domain === null && !account.approved
  const isOn = action === 'silence' || action === 'unsilence' ? account.silenced : account.suspended
  return isLimit(action) ? !isOn : isOn
}

async function preview(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin.bulk
  const action = wordParam(call, 'action', actions)
  const ids = requireTicked(call).map((id) => asId<AccountId>(id))
  if (action === undefined) return redirectTo(list)
  const accounts = await viewAdminAccounts(call.ctx, ids)
  const below = await filterOutranked(call.ctx, call.viewer, ids)
  const mayAct = ({ id }: AdminAccount) => below.has(asId<AccountId>(id))
  const outcome = (account: AdminAccount): string =>
    !mayAct(account) ? t.above : applies(action, account) ? t.outcomes[action] : t.same
  const done = accounts.filter((account) => mayAct(account) && applies(action, account))
  return renderConfirm(call, {
    title: t.actions[action],
    consequences: [t.consequences[action], t.count({ count: done.length, all: accounts.length })],
    subjects: accounts.map((account) => html`${renderPerson(call, account.account)} ${outcome(account)}`),
    action: `${bulkPath}/do`,
    hidden: { action },
    ids: done.map(({ id }) => id),
    ...(isLimit(action) && { fields: renderWords(call) }),
    submit: t.actions[action],
    back: list,
  })
}

function renderWords(call: DeskCall): Html {
  const t = textsIn(call.language).pages.admin.decide
  return html`${renderField({ name: 'text', label: t.text, hint: t.textHint, rows: 3, required: false })}
  ${renderCheckbox({ name: 'send_email_notification', label: t.mail, checked: true })}`
}

async function carryOut(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin.bulk
  const action = wordParam(call, 'action', actions)
  const ids = requireTicked(call)
  if (action === undefined) return redirectTo(list)
  let [done, refused] = [0, 0]
  for (const id of ids) {
    if (await doOne(call, action, asId<AccountId>(id))) done++
    else refused++
  }
  const text =
    `${t.did[action]({ count: done })} ${refused === 0 ? '' : t.refused({ count: refused })}`.trim()
  return redirectWith(call, isSignUp(action) ? `${list}?status=pending` : list, { text })
}

/** False where somebody else decided meanwhile, or it is not the viewer's to decide: the others go on. */
async function doOne(call: DeskCall, action: Action, id: AccountId): Promise<boolean> {
  const { ctx, viewer } = call
  try {
    if (isSignUp(action)) await decideSignUp(ctx, viewer, id, action)
    else if (isLimit(action)) {
      const mail = isTicked(call.params, 'send_email_notification')
      await takeAction(ctx, viewer, id, { type: action, text: textParam(call.params, 'text'), mail })
    } else await liftLimit(ctx, viewer, id, action === 'unsilence' ? 'silence' : 'suspend')
    return true
  } catch (error) {
    if (isAppError(error, 'forbidden') || isAppError(error, 'not_found')) return false
    throw error
  }
}

export const pages: readonly Page[] = [
  adminPage({ method: 'POST', path: '/admin/accounts/bulk', permission: 'manage_users', handle: preview }),
  adminPage({
    method: 'POST',
    path: '/admin/accounts/bulk/do',
    permission: 'manage_users',
    handle: carryOut,
  }),
]
