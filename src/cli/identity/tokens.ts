import { getLocalUser } from '#domain/identity/accounts/local-user.ts'
import { issueToken } from '#domain/identity/oauth/issue-token.ts'
import { parseScopes } from '#domain/identity/oauth/scopes.ts'
import { UsageError, type Command, type Group } from '../kit/command.ts'
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

export const tokens: Group = { summary: 'Access tokens for programs', commands: { create } }
