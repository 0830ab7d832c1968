import { getLocalUser, listLocalUsers } from '#domain/identity/accounts/local-user.ts'
import { clearFeeds } from '#domain/reading/timelines/clear-feeds.ts'
import { rebuildHome } from '#domain/reading/timelines/home-feed.ts'
import { rebuildLists } from '#domain/reading/timelines/list-feed.ts'
import { UsageError, type Command, type Group } from '../kit/command.ts'
import { createProgress } from '../kit/progress.ts'
import { withContext } from '../kit/with-context.ts'

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
      const progress = createProgress({ label: 'Feeds', total: users.length })
      for (const { accountId } of users) {
        await rebuildHome(ctx, accountId, { anew: true })
        await rebuildLists(ctx, accountId)
        progress.advance()
      }
      progress.done()
      return users.length
    })
    console.log(`Home feeds built: ${count}`)
  },
}

const clear: Command = {
  summary: 'Removes all home and list feeds: each is built anew when it is next read',
  async run({ env }) {
    console.log(`Feeds removed: ${await withContext(env, ({ ctx }) => clearFeeds(ctx))}`)
  },
}

export const feeds: Group = { summary: 'Home and list feeds', commands: { build, clear } }
