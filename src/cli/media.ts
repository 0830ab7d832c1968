import { removeCachedMedia } from '#domain/media/cache.ts'
import { sumMediaUsage, type Amount } from '#domain/media/usage.ts'
import { jsonOption, UsageError, type Command, type Group } from './command.ts'
import { withContext } from './with-context.ts'

const usualDays = 7

const remove: Command = {
  summary: "Deletes copies of other servers' files that nobody has looked at for a while",
  options: {
    days: { value: 'N', help: `For how many days nobody has looked at them: ${usualDays} unless given` },
    'keep-interacted': {
      help: 'Keep those of posts that people here favourited, bookmarked, boosted or answered',
    },
    'dry-run': { help: 'Only say what would be deleted' },
    json: jsonOption,
  },
  async run({ env, text, flag }) {
    const given = text('days') ?? String(usualDays)
    if (!/^\d{1,5}$/.test(given)) throw new UsageError(`--days is ${JSON.stringify(given)}, not a number`)
    const dryRun = flag('dry-run')
    const removed = await withContext(env, ({ ctx }) =>
      removeCachedMedia(ctx, { days: Number(given), keepInteracted: flag('keep-interacted'), dryRun }),
    )
    if (flag('json')) return console.log(JSON.stringify({ ...removed, dryRun }))
    console.log(`${dryRun ? 'Would be removed' : 'Removed'}: ${describe(removed)}`)
  },
}

const usage: Command = {
  summary: 'Says what pictures, sounds and films take (pictures of people and emoji are not counted)',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const { attachments, previews, cards } = await withContext(env, ({ ctx }) => sumMediaUsage(ctx))
    if (flag('json')) return console.log(JSON.stringify({ attachments, previews, cards }))
    const rows: [string, Amount][] = [
      ['Attachments', attachments.local],
      ['Previews of them', previews.local],
      ['Copies from other servers', attachments.cached],
      ['Previews of them', previews.cached],
      ['Pictures of preview cards', cards],
    ]
    for (const [name, amount] of rows) console.log(`${name.padEnd(26)} ${describe(amount)}`)
  },
}

function describe({ files, bytes }: Amount): string {
  const [unit, size] = bytes >= 1e9 ? ['GB', 1e9] : bytes >= 1e6 ? ['MB', 1e6] : ['kB', 1e3]
  return `${files} ${files === 1 ? 'file' : 'files'}, ${(bytes / size).toFixed(1)} ${unit}`
}

export const media: Group = { summary: 'Pictures, sounds and films', commands: { remove, usage } }
