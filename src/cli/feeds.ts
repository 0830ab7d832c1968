import { getLocalUser, listLocalUsers } from '#domain/accounts/local-user.ts'
import { rebuildHome } from '#domain/timelines/home-feed.ts'
import { rebuildLists } from '#domain/timelines/list-feed.ts'
import { UsageError, type Command, type Group } from './command.ts'
import { withContext } from './with-context.ts'

const build: Command = {
  summary: 'Writes home and list feeds anew from what their owners follow',
  args: ['[NAME...]'],
  options: { all: { help: 'Those of all active accounts' } },
  async run({ args, env, flag }) {
    if (flag('all') === args.length > 0) throw new UsageError('Give names, or --all')
    const count = await withContext(env, async ({ ctx }) => {
      const users = flag('all')
        ? await listLocalUsers(ctx, { active: true })
        : await Promise.all(args.map((name) => getLocalUser(ctx, name)))
      for (const { accountId } of users) {
        await rebuildHome(ctx, accountId, { anew: true })
        await rebuildLists(ctx, accountId)
      }
      return users.length
    })
    console.log(`Home feeds built: ${count}`)
  },
}

export const feeds: Group = { summary: 'Home and list feeds', commands: { build } }
