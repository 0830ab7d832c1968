// What staff do about one account.
import { hasPermission, type Permission } from '#domain/identity/accounts/permissions.ts'
import { assignRole } from '#domain/identity/roles/assign-role.ts'
import { removeFactorsByStaff } from '#domain/identity/two-factor/turn-off.ts'
import { deleteAccountByStaff } from '#domain/maintenance/deletion/delete-suspended.ts'
import { liftLimit, limitKinds } from '#domain/trust/moderation/account-limits.ts'
import { decideSignUp } from '#domain/trust/moderation/decide-sign-up.ts'
import { setMemorial } from '#domain/trust/moderation/memorials.ts'
import { createNote } from '#domain/trust/moderation/notes.ts'
import { takeAction } from '#domain/trust/moderation/take-action.ts'
import { notFound } from '#lib/errors.ts'
import { asId, type AccountId, type RoleId, type StatusId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewStatuses } from '#views/content/statuses.ts'
import { viewAdminAccount, viewAdminAccountFor } from '#views/identity/admin-accounts.ts'
import { redirectWith } from '../../kit/flash.ts'
import { textParam } from '../../kit/form.ts'
import type { Page } from '../../kit/page.ts'
import {
  decisionTypes,
  isAboutStatuses,
  isPreview,
  readDecision,
  renderDecision,
} from '../decisions/decision.ts'
import { toFlash } from '../decisions/flash.ts'
import { adminPage, tryForm, type DeskCall } from '../kit/admin-page.ts'
import { renderConfirm, tickedIds } from '../kit/confirm.ts'
import { idParam, optionalId, wordParam } from '../kit/params.ts'
import { showAccount } from './account.ts'

const list = '/admin/accounts'
const pathOf = (id: AccountId) => `${list}/${id}`
/** The account's page, or the desk's first one for those who may do things to accounts that they may not look into. */
const backTo = (call: DeskCall, id: AccountId) =>
  hasPermission(call.viewer, 'manage_users') ? pathOf(id) : '/admin'

const decides = ['manage_users', 'manage_reports'] as const

async function askDecision(call: DeskCall, problem: string | null = null): Promise<Response> {
  const id = idParam<AccountId>(call)
  const type = wordParam(call, 'type', decisionTypes) ?? 'none'
  const statusIds = tickedIds(call).map((one) => asId<StatusId>(one))
  const target = await viewAdminAccountFor(call.ctx, call.viewer, id)
  return renderDecision(call, {
    type,
    target,
    action: `${pathOf(id)}/decide`,
    back: backTo(call, id),
    trail: hasPermission(call.viewer, 'manage_users')
      ? [
          [list, textsIn(call.language).pages.admin.sections.accounts],
          [pathOf(id), `@${target.account.acct}`],
        ]
      : [],
    statuses: isAboutStatuses(type) ? await viewStatuses(call.ctx, call.viewer, statusIds) : [],
    problem,
  })
}

async function decide(call: DeskCall): Promise<Response> {
  if (isPreview(call)) return askDecision(call)
  const id = idParam<AccountId>(call)
  const type = wordParam(call, 'type', decisionTypes) ?? 'none'
  const problem = await tryForm(call, () => takeAction(call.ctx, call.viewer, id, readDecision(call, id)))
  return problem === null
    ? redirectWith(call, backTo(call, id), toFlash(call, id, type))
    : askDecision(call, problem)
}

async function lift(call: DeskCall): Promise<Response> {
  const id = idParam<AccountId>(call)
  const kind = wordParam(call, 'kind', limitKinds)
  if (kind === undefined) throw notFound()
  await liftLimit(call.ctx, call.viewer, id, kind)
  return redirectWith(call, pathOf(id), { text: textsIn(call.language).pages.admin.account.lifted[kind] })
}

async function writeNote(call: DeskCall): Promise<Response> {
  const id = idParam<AccountId>(call)
  await createNote(call.ctx, call.viewer, { targetAccountId: id }, textParam(call.params, 'text'))
  return redirectWith(call, backTo(call, id), { text: textsIn(call.language).pages.admin.did.noted })
}

async function giveRole(call: DeskCall): Promise<Response> {
  const id = idParam<AccountId>(call)
  await assignRole(call.ctx, call.viewer, id, optionalId<RoleId>(call, 'role_id') ?? null)
  return redirectWith(call, backTo(call, id), { text: textsIn(call.language).pages.admin.did.saved })
}

async function approve(call: DeskCall): Promise<Response> {
  const id = idParam<AccountId>(call)
  const { username } = await viewAdminAccount(call.ctx, id)
  await decideSignUp(call.ctx, call.viewer, id, 'approve')
  const text = textsIn(call.language).pages.admin.account.approved({ name: username })
  return redirectWith(call, `${list}?status=pending`, { text })
}

/** What is asked about once more. */
const steps = {
  reject: {
    permission: 'manage_users',
    next: () => `${list}?status=pending`,
    work: (call: DeskCall, id: AccountId) => decideSignUp(call.ctx, call.viewer, id, 'reject'),
  },
  disable_2fa: {
    permission: 'manage_user_access',
    next: backTo,
    work: (call: DeskCall, id: AccountId) => removeFactorsByStaff(call.ctx, call.viewer, id),
  },
  memorialize: {
    permission: 'delete_user_data',
    next: backTo,
    work: (call: DeskCall, id: AccountId) => setMemorial(call.ctx, call.viewer, id, true),
  },
  unmemorialize: {
    permission: 'delete_user_data',
    next: backTo,
    work: (call: DeskCall, id: AccountId) => setMemorial(call.ctx, call.viewer, id, false),
  },
  delete: {
    permission: 'delete_user_data',
    next: (call: DeskCall) => (hasPermission(call.viewer, 'manage_users') ? list : '/admin'),
    work: (call: DeskCall, id: AccountId) => deleteAccountByStaff(call.ctx, call.viewer, id),
  },
} as const satisfies Record<
  string,
  {
    permission: Permission
    next(call: DeskCall, id: AccountId): string
    work(call: DeskCall, id: AccountId): Promise<void>
  }
>
type Step = keyof typeof steps

const ask = (step: Step) => async (call: DeskCall) => {
  const id = idParam<AccountId>(call)
  const { account } = await viewAdminAccountFor(call.ctx, call.viewer, id)
  const t = textsIn(call.language).pages.admin.account.steps[step]
  return renderConfirm(call, {
    title: `${t.name}: @${account.acct}`,
    consequences: t.means.split('\n'),
    action: `${pathOf(id)}/${step}`,
    submit: t.name,
    back: backTo(call, id),
  })
}

const take = (step: Step) => async (call: DeskCall) => {
  const id = idParam<AccountId>(call)
  const { account } = await viewAdminAccountFor(call.ctx, call.viewer, id)
  await steps[step].work(call, id)
  const text = textsIn(call.language).pages.admin.account.steps[step].done({ name: account.acct })
  return redirectWith(call, steps[step].next(call, id), { text })
}

const stepPages = (step: Step, path: `/admin/${string}`): Page[] => [
  adminPage({ path, permission: steps[step].permission, handle: ask(step) }),
  adminPage({ method: 'POST', path, permission: steps[step].permission, handle: take(step) }),
]

export const pages: readonly Page[] = [
  adminPage({ path: '/admin/accounts/:id{[0-9]+}', permission: 'manage_users', handle: showAccount }),
  adminPage({
    path: '/admin/accounts/:id{[0-9]+}/decide',
    permission: decides,
    handle: (call) => askDecision(call),
  }),
  adminPage({
    method: 'POST',
    path: '/admin/accounts/:id{[0-9]+}/decide',
    permission: decides,
    handle: decide,
  }),
  adminPage({
    method: 'POST',
    path: '/admin/accounts/:id{[0-9]+}/lift',
    permission: 'manage_users',
    handle: lift,
  }),
  adminPage({
    method: 'POST',
    path: '/admin/accounts/:id{[0-9]+}/notes',
    permission: 'manage_reports',
    handle: writeNote,
  }),
  adminPage({
    method: 'POST',
    path: '/admin/accounts/:id{[0-9]+}/role',
    permission: 'manage_roles',
    handle: giveRole,
  }),
  adminPage({
    method: 'POST',
    path: '/admin/accounts/:id{[0-9]+}/approve',
    permission: 'manage_users',
    handle: approve,
  }),
  ...stepPages('reject', '/admin/accounts/:id{[0-9]+}/reject'),
  ...stepPages('disable_2fa', '/admin/accounts/:id{[0-9]+}/disable_2fa'),
  ...stepPages('memorialize', '/admin/accounts/:id{[0-9]+}/memorialize'),
  ...stepPages('unmemorialize', '/admin/accounts/:id{[0-9]+}/unmemorialize'),
  ...stepPages('delete', '/admin/accounts/:id{[0-9]+}/delete'),
]
