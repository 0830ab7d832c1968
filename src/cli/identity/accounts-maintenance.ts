// What is done for local accounts by whoever runs the server: keys, archives, moves, relationships begun anew.
import type { Ctx } from '#ports/ctx.ts'
import { getLocalUser } from '#domain/identity/accounts/local-user.ts'
import { rotateAllKeys, rotateKeys } from '#domain/federation/queue/rotate-keys.ts'
import { resetRelationships, type RelationshipSide } from '#domain/trust/moderation/reset-relationships.ts'
import { moveAccountByStaff, repeatMove } from '#domain/federation/moves/move-account.ts'
import { requestArchiveByStaff } from '#domain/transfer/portability/archive/archive-export.ts'
import { UsageError, type Command } from '../kit/command.ts'
import { createProgress } from '../kit/progress.ts'
import { named } from '../kit/named.ts'
import { withContext } from '../kit/with-context.ts'

export const rotate: Command = {
  summary: 'Gives accounts new keys to sign with, and tells other servers',
  args: ['[NAME...]'],
  options: { all: { help: 'All local accounts, no faster than other servers can be told' } },
  async run({ args, env, flag }) {
    if (flag('all') === args.length > 0) throw new UsageError('Give names, or --all')
    const count = await withContext(env, ({ ctx }) => (flag('all') ? rotateAll(ctx) : rotateSome(ctx, args)))
    console.log(`OK, ${count} accounts`)
  },
}

async function rotateSome(ctx: Ctx, names: readonly string[]): Promise<number> {
  const users = await Promise.all(names.map((name) => getLocalUser(ctx, name)))
  for (const { accountId } of users) await rotateKeys(ctx, 'operator', accountId)
  return users.length
}

async function rotateAll(ctx: Ctx): Promise<number> {
  const progress = createProgress({ label: 'New keys' })
  const count = await rotateAllKeys(ctx, 'operator', () => progress.advance())
  progress.done()
  return count
}

export const archive: Command = {
  summary: 'Has an archive made of all that somebody posted, who is written to when it can be downloaded',
  args: ['NAME'],
  async run({ args, env }) {
    await withContext(env, async ({ ctx }) =>
      requestArchiveByStaff(ctx, 'operator', await getLocalUser(ctx, args[0] as string)),
    )
    console.log('OK')
  },
}

export const migrate: Command = {
  summary: 'Moves an account to another one, which must name it as an alias, and its followers with it',
  args: ['NAME'],
  options: {
    target: { value: 'ACCT', help: 'Where to' },
    replay: { help: 'Tell everybody once more of the last move, instead' },
    force: { help: 'Also within 30 days of the last move' },
  },
  async run({ args, env, text, flag }) {
    const acct = text('target')
    if ((acct === undefined) !== flag('replay')) throw new UsageError('Either --target or --replay')
    const to = await withContext(env, async ({ ctx }) => {
      const user = await getLocalUser(ctx, args[0] as string)
      if (acct === undefined) return repeatMove(ctx, 'operator', user)
      const move = moveAccountByStaff(ctx, 'operator', user, { acct, force: flag('force') })
      await named(`other account ${acct} that could be found`, move)
      return acct
    })
    console.log(`OK, to ${to}`)
  },
}

export const reset: Command = {
  summary: 'Ends the follows of an account, where servers disagree about them',
  args: ['NAME'],
  options: {
    follows: {
      help: 'Unfollow everybody and follow them again, with the same options and in the same lists',
    },
    followers: { help: 'Remove all followers' },
  },
  async run({ args, env, flag }) {
    const sides = (['follows', 'followers'] as const).filter((side) => flag(side))
    if (sides.length === 0) throw new UsageError('Give --follows, --followers, or both')
    for (const line of await withContext(env, ({ ctx }) => resetSides(ctx, args[0] as string, sides)))
      console.log(line)
  },
}

async function resetSides(ctx: Ctx, name: string, sides: readonly RelationshipSide[]): Promise<string[]> {
  const { accountId } = await getLocalUser(ctx, name)
  const lines: string[] = []
  for (const side of sides) {
    const progress = createProgress({ label: side })
    const done = { side, onDone: () => progress.advance() }
    const { reset: count, lost } = await resetRelationships(ctx, 'operator', accountId, done)
    progress.done()
    const what = side === 'follows' ? 'Followed again' : 'Followers removed'
    lines.push(`${what}: ${count}${lost === 0 ? '' : `, not possible: ${lost}`}`)
  }
  return lines
}
