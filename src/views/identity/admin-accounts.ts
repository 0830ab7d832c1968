import type { Account } from '#entities/account.ts'
import type { AdminAccount } from '#entities/admin/account.ts'
import type { Ctx } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import { hasPermission } from '#domain/identity/accounts/permissions.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { formatTime } from '#lib/time/time.ts'
import {
  loadAdminAccounts,
  loadUsedAddresses,
  type AdminAccountRow,
  type UsedAddress,
} from '#domain/trust/moderation/load-admin-accounts.ts'
import { loadAccountViews } from './accounts.ts'
import { renderRole } from '../render/role.ts'
import type { AccountId } from '#lib/id.ts'

/** Admin::Accounts in the order of `ids`, by a constant number of queries. Missing and deleted ones are left out. */
export async function viewAdminAccounts(ctx: Ctx, ids: readonly AccountId[]): Promise<AdminAccount[]> {
  const [rows, addresses, accounts] = [
    await loadAdminAccounts(ctx, ids),
    await loadUsedAddresses(ctx, ids),
    await loadAccountViews(ctx, ids),
  ]
  return ids.flatMap((id) => {
    const [row, account] = [rows.get(id), accounts.get(id)]
    return row && account ? [renderAdminAccount(row, addresses.get(id) ?? [], account)] : []
  })
}

/** Throws `not_found`. */
export async function viewAdminAccount(ctx: Ctx, id: AccountId): Promise<AdminAccount> {
  const [view] = await viewAdminAccounts(ctx, [id])
  if (!view) throw notFound()
  return view
}

/** What only those who manage users may know is left out for others, of whom an operation demands something else. */
export async function viewAdminAccountFor(
  ctx: Ctx,
  viewer: Pick<Viewer, 'permissions'>,
  id: AccountId,
): Promise<AdminAccount> {
  const view = await viewAdminAccount(ctx, id)
  if (hasPermission(viewer, 'manage_users')) return view
  return { ...view, email: null, ip: null, ips: [], locale: null, invite_request: null }
}

/** Admin::Account (https://docs.joinmastodon.org/entities/Admin_Account/). */
function renderAdminAccount(
  row: AdminAccountRow,
  addresses: readonly UsedAddress[],
  account: Account,
): AdminAccount {
  const { user } = row
  return {
    id: row.id,
    username: row.username,
    domain: row.domain,
    created_at: formatTime(row.created_at),
    email: user?.email ?? null,
    ip: addresses[0]?.ip ?? null,
    ips: addresses.map(({ ip, used_at }) => ({ ip, used_at: formatTime(used_at) })),
    locale: user?.locale ?? null,
    invite_request: user?.sign_up_reason ?? null,
    role: user && renderRole(user.role),
    confirmed: user?.confirmed ?? false,
    approved: user?.approved ?? false,
    disabled: user?.disabled ?? false,
    suspended: row.suspended,
    silenced: row.silenced,
    sensitized: row.sensitized,
    account,
    ...(user?.created_by_application_id && { created_by_application_id: user.created_by_application_id }),
    ...(user?.invited_by_account_id && { invited_by_account_id: user.invited_by_account_id }),
  }
}
