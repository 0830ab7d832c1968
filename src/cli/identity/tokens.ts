import { getLocalUser } from '#domain/identity/accounts/local-user.ts'
import {
  endAccessByOperator,
  endAllAccess,
} from '#domain/identity/accounts/registration/end-access-by-operator.ts'
import { issueToken } from '#domain/identity/oauth/issue-token.ts'
import { parseScopes } from '#domain/identity/oauth/scopes.ts'
import type { Ctx } from '#ports/ctx.ts'
import { UsageError, type Command, type Group } from '../kit/command.ts'
import { createProgress } from '../kit/progress.ts'
import { withContext } from '../kit/with-context.ts'

const create: Command = {
  summary: 'Makes an access token for an account and prints it, alone',
  args: ['NAME'],
  options: {
    scopes: { value: 'SCOPES', help: 'What it allows; "read write follow push" without this option' },
  },
  async run({ args, env, text }) {
    const scopes = parseScopes(text('scopes') ?? 'read write follow push')
    if (scopes === null || scopes.length === 0)
      throw new UsageError('--scopes names a scope that does not exist')
    const token = await withContext(env, async ({ ctx }) => {
      const { userId } = await getLocalUser(ctx, args[0] as string)
      return ctx.transaction((tx) => issueToken(tx, { applicationId: null, userId, scopes }))
    })
    console.log(token.secret)
  },
}

const revoke: Command = {
  summary: 'Signs people out everywhere, and their apps; passwords and second factors stay',
  args: ['[NAME...]'],
  options: { all: { help: 'Everybody, as after a break-in' } },
  async run({ args, env, flag }) {
    if (flag('all') === args.length > 0) throw new UsageError('Give names, or --all')
    const count = await withContext(env, ({ ctx }) => (flag('all') ? revokeAll(ctx) : revokeOf(ctx, args)))
    console.log(`Signed out: ${count}`)
  },
}

/** Nobody is signed out where one of the names is wrong. */
async function revokeOf(ctx: Ctx, names: readonly string[]): Promise<number> {
  const users = await Promise.all(names.map((name) => getLocalUser(ctx, name)))
  for (const user of users) await endAccessByOperator(ctx, user)
  return users.length
}

async function revokeAll(ctx: Ctx): Promise<number> {
  const progress = createProgress({ label: 'Signed out' })
  const count = await endAllAccess(ctx, () => progress.advance())
  progress.done()
  return count
}

export const tokens: Group = { summary: 'Access tokens, and who is signed in', commands: { create, revoke } }
