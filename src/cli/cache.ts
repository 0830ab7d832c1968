import { forgetRenderings } from '#domain/statuses/forget-renderings.ts'
import type { Command, Group } from './command.ts'
import { withContext } from './with-context.ts'

const clear: Command = {
  summary: 'Has all that is kept rendered made anew when it is next asked for',
  async run({ env }) {
    const count = await withContext(env, ({ ctx }) => forgetRenderings(ctx))
    console.log(`Cleared: ${count}`)
  },
}

export const cache: Group = { summary: 'What is kept rendered', commands: { clear } }
