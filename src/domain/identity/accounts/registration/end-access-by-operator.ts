// After a break-in, or where a database got into the wrong hands: everybody signs in anew, with the password that they have.
import { createEventPace } from '#db/pace-events.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import type { Ctx } from '#ports/ctx.ts'
import { listLocalUsers, type LocalUser } from '../local-user.ts'
import { endAccess } from './end-access.ts'

/** Users after whom it is seen whether the events of people wait. */
const batch = 20

/** Ends all sessions, and all tokens of apps, of a user. Their password and second factors stay. */
export async function endAccessByOperator(ctx: Ctx, { userId, username }: LocalUser): Promise<void> {
  await ctx.transaction(async (tx) => {
    await endAccess(tx, userId)
    await recordAction(tx, 'operator', {
      action: 'end_access',
      targetType: 'user',
      targetId: userId,
      label: username,
    })
  })
}

/** `endAccessByOperator` of all users. Returns how many there are. */
export async function endAllAccess(ctx: Ctx, onEach: () => void): Promise<number> {
  const pace = createEventPace(ctx)
  const users = await listLocalUsers(ctx, { active: false })
  for (const [index, user] of users.entries()) {
    await endAccessByOperator(ctx, user)
    onEach()
    if (index % batch === batch - 1) await pace()
  }
  return users.length
}
