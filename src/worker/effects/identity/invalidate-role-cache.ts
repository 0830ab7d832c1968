import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { invalidateHolders } from '#domain/identity/roles/edit-role.ts'

/** Has the accounts that show a role be rendered anew. */
export const invalidateRoleCache = {
  name: 'invalidate-role-cache',
  slow: true,
  run: (ctx: Ctx, { roleId }: EventOf<'role.updated'>) => invalidateHolders(ctx, roleId),
}
