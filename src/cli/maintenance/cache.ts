import { invalidateRenderCache } from '#domain/content/statuses/invalidate-render-cache.ts'
import { countCounted, recount } from '#domain/content/statuses/recount.ts'
import { jsonOption, UsageError, type Command, type Group } from '../kit/command.ts'
import { createProgress } from '../kit/progress.ts'
import { withContext } from '../kit/with-context.ts'

const clear: Command = {
  summary: 'Has all that is kept rendered made anew when it is next asked for',
  async run({ env }) {
    const count = await withContext(env, ({ ctx }) => invalidateRenderCache(ctx))
    console.log(`Cleared: ${count}`)
  },
}

const count: Command = {
  summary: 'Counts anew what is shown as numbers. TYPE is accounts (local ones) or statuses',
  args: ['TYPE'],
  options: { json: jsonOption },
  async run({ args: [type], env, flag }) {
    if (type !== 'accounts' && type !== 'statuses')
      throw new UsageError(`TYPE is ${JSON.stringify(type)}, not accounts or statuses`)
    const done = await withContext(env, async ({ ctx }) => {
      const total = await countCounted(ctx, type)
      const progress = createProgress({ label: 'Counted', total, json: flag('json') })
      const counted = await recount(ctx, type, progress.advance)
      progress.done()
      return counted
    })
    if (flag('json')) return console.log(JSON.stringify(done))
    console.log(`Counted: ${done.looked}, of which ${done.corrected} were wrong`)
  },
}

export const cache: Group = {
  summary: 'What is kept rendered, and counted',
  commands: { clear, recount: count },
}
