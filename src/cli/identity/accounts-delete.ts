import type { Ctx } from '#ports/ctx.ts'
import { readHandle } from '#domain/identity/accounts/lookup.ts'
import { getLocalUser, getLocalUserByEmail } from '#domain/identity/accounts/local-user.ts'
import { deleteAccountByStaff } from '#domain/maintenance/deletion/delete-suspended.ts'
import { UsageError, type Command } from '../kit/command.ts'
import { getAccount } from '../kit/named.ts'
import { withContext } from '../kit/with-context.ts'
import type { AccountId } from '#lib/id.ts'

/** Files and posts follow by the worker, which also tells other servers. */
export const deleteCommand: Command = {
  summary: 'Deletes an account with all it has. Its name is never given to anybody else',
  args: ['[NAME]'],
  options: {
    email: { value: 'ADDRESS', help: 'The account of whoever has this address, instead of NAME' },
    'dry-run': { help: 'Only say whose it would be' },
  },
  async run({ args, env, text, flag }) {
    const email = text('email')
    if ((args[0] === undefined) === (email === undefined)) throw new UsageError('Either NAME or --email')
    const handle = await withContext(env, async ({ ctx }) => {
      const account = await find(ctx, { name: args[0], email })
      if (!flag('dry-run')) await deleteAccountByStaff(ctx, 'operator', account.id)
      return account.handle
    })
    console.log(flag('dry-run') ? `Would delete ${handle}` : 'OK')
  },
}

async function find(
  ctx: Ctx,
  { name, email }: { name: string | undefined; email: string | undefined },
): Promise<{ id: AccountId; handle: string }> {
  const handle = name === undefined ? null : readHandle(ctx.config, name)
  if (handle && handle.domain !== null) {
    const { id } = await getAccount(ctx, name as string)
    return { id, handle: `${handle.username}@${handle.domain}` }
  }
  const { accountId, username } =
    email === undefined
      ? await getLocalUser(ctx, handle?.username ?? '')
      : await getLocalUserByEmail(ctx, email)
  return { id: accountId, handle: username }
}
