import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { forgetHolders } from '#domain/identity/roles/edit-role.ts'

/** Has the accounts that show a role be rendered anew. */
export const forgetRole = {
  name: 'forget-role',
  slow: true,
  run: (ctx: Ctx, { roleId }: EventOf<'role.updated'>) => forgetHolders(ctx, roleId),
}
