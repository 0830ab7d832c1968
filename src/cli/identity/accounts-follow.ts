// Everybody here follows somebody, or no longer does: for an account of announcements, say.
import type { Ctx } from '#ports/ctx.ts'
import { listLocalUsers } from '#domain/identity/accounts/local-user.ts'
import type { Actor } from '#domain/social/relationships/rows.ts'
import { followAccount, unfollowAccount } from '#domain/social/relationships/follow.ts'
import { isAppError } from '#lib/errors.ts'
import type { Command } from '../kit/command.ts'
import { getAccount } from '../kit/named.ts'
import { withContext } from '../kit/with-context.ts'
import type { AccountId } from '#lib/id.ts'

type Act = (ctx: Ctx, actor: Actor, targetId: AccountId) => Promise<unknown>

/** Runs `act` for each local account that may sign in; those who may not do it, by a block say, are passed over. */
function forEverybody(summary: string, act: Act): Command {
  return {
    summary,
    args: ['ACCT'],
    async run({ args, env }) {
      const count = await withContext(env, async ({ ctx }) => {
        const target = await getAccount(ctx, args[0] as string)
        const users = await listLocalUsers(ctx, { active: false })
        let done = 0
        for (const { accountId, state } of users) {
          if (state === 'active' && accountId !== target.id)
            done += await attempt(act(ctx, { accountId }, target.id))
        }
        return done
      })
      console.log(`OK, ${count} accounts`)
    },
  }
}

async function attempt(work: Promise<unknown>): Promise<0 | 1> {
  try {
    await work
    return 1
  } catch (error) {
    if (isAppError(error)) return 0
    throw error
  }
}

export const follow = forEverybody('Makes all local accounts follow an account', (ctx, actor, id) =>
  followAccount(ctx, actor, id),
)

export const unfollow = forEverybody('Makes all local accounts unfollow an account', unfollowAccount)
