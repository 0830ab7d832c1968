import { removeCachedMedia } from '#domain/content/media/cache.ts'
import { findFileUse } from '#domain/content/media/find-file.ts'
import { removeOrphans } from '#domain/content/media/storage/orphans.ts'
import { removeProfileImages } from '#domain/content/media/profile-images.ts'
import { countMedia, refetchMedia, type MediaChoice } from '#domain/content/media/refetch.ts'
import { sumMediaUsage, type Amount } from '#domain/content/media/usage.ts'
import { requireOtherDomain } from '#domain/trust/moderation/hosts/host-blocks.ts'
import { isId } from '#lib/ids.ts'
import type { Ctx } from '#ports/ctx.ts'
import { jsonOption, UsageError, type Command, type Group, type Input } from '../kit/command.ts'
import { concurrencyOf, concurrencyOption, numberOf } from '../kit/numbers.ts'
import { getAccount } from '../kit/named.ts'
import { createProgress } from '../kit/progress.ts'
import { bytes } from '../kit/sizes.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'
import { asId, type StatusId } from '#lib/id.ts'
import { migrate } from './media-migrate.ts'

const usualDays = 7

const remove: Command = {
  summary: "Deletes copies of other servers' files that nobody has looked at for a while",
  options: {
    days: { value: 'N', help: `For how many days nobody has looked at them: ${usualDays} unless given` },
    'keep-interacted': {
      help: 'Keep those of posts that people here favourited, bookmarked, boosted or answered',
    },
    'prune-profiles': {
      help: 'Delete avatars and headers of accounts that were not read for so long, instead',
    },
    'remove-headers': { help: 'Delete only headers of such accounts, instead' },
    'include-follows': {
      help: 'With these two: also of accounts that follow, or are followed by, people here',
    },
    'dry-run': { help: 'Only say what would be deleted' },
    json: jsonOption,
  },
  async run(input) {
    const { env, flag } = input
    const days = numberOf(input, 'days', { usual: usualDays })
    const [dryRun, profiles, headers] = [flag('dry-run'), flag('prune-profiles'), flag('remove-headers')]
    if (profiles && headers) throw new UsageError('Either --prune-profiles or --remove-headers')
    if (flag('include-follows') && !profiles && !headers)
      throw new UsageError('--include-follows goes with --prune-profiles or --remove-headers')
    if (profiles || headers) return removeImages(input, days)
    const removed = await withContext(env, ({ ctx }) =>
      removeCachedMedia(ctx, { days, keepInteracted: flag('keep-interacted'), dryRun }),
    )
    if (flag('json')) return console.log(JSON.stringify({ ...removed, dryRun }))
    console.log(`${dryRun ? 'Would be removed' : 'Removed'}: ${describe(removed)}`)
  },
}

async function removeImages({ env, flag }: Input, days: number): Promise<void> {
  const dryRun = flag('dry-run')
  const progress = createProgress({ label: 'Accounts', json: flag('json') })
  const removed = await withContext(env, ({ ctx }) =>
    removeProfileImages(ctx, {
      days,
      onlyHeaders: flag('remove-headers'),
      includeFollows: flag('include-follows'),
      dryRun,
      onDone: progress.advance,
    }),
  )
  progress.done()
  if (flag('json')) return console.log(JSON.stringify({ ...removed, dryRun }))
  const files = `${removed.files} ${removed.files === 1 ? 'file' : 'files'}`
  console.log(`${dryRun ? 'Would be removed' : 'Removed'}: ${files} of ${removed.accounts} accounts`)
}

const orphans: Command = {
  summary: 'Deletes files in the store that nothing names, once they are a day old',
  options: {
    prefix: { value: 'TEXT', help: 'Only those whose names in the store begin so' },
    'dry-run': { help: 'Only name them' },
    json: jsonOption,
  },
  async run({ env, text, flag }) {
    const [dryRun, json] = [flag('dry-run'), flag('json')]
    const progress = createProgress({ label: 'Files', json })
    const {
      files,
      bytes: size,
      ...rest
    } = await withContext(env, ({ ctx }) =>
      removeOrphans(ctx, 'operator', {
        prefix: text('prefix') ?? '',
        dryRun,
        onDone: progress.advance,
        onOrphan: (key) => void (json || console.log(key)),
      }),
    )
    progress.done()
    if (json) return console.log(JSON.stringify({ files, bytes: size, ...rest, dryRun }))
    if (rest.strange > 0) console.error(`${rest.strange} files are not of this server: they stay`)
    const amount = describe({ files, bytes: size })
    console.log(`${dryRun ? 'Would be removed' : 'Removed'}: ${amount}, of ${rest.looked} looked at`)
  },
}

const refresh: Command = {
  summary: "Fetches other servers' files of which there is no copy here",
  options: {
    status: { value: 'ID', help: 'Those of one post' },
    account: { value: 'ACCT', help: 'Those of an account' },
    domain: { value: 'DOMAIN', help: 'Those of all accounts of a domain' },
    days: { value: 'N', help: 'Those that came within the last N days' },
    force: { help: 'Also those of which there is a copy, which is thrown away first' },
    concurrency: { ...concurrencyOption, help: 'Files at a time (5)' },
    'dry-run': { help: 'Only count them' },
    json: jsonOption,
  },
  async run(input) {
    const { env, flag, text } = input
    const ways = ['status', 'account', 'domain', 'days'].filter((name) => text(name) !== undefined)
    if (ways.length !== 1) throw new UsageError('Give one of --status, --account, --domain and --days')
    const [concurrency, force, dryRun] = [concurrencyOf(input), flag('force'), flag('dry-run')]
    const result = await withContext(env, async ({ ctx }) => {
      const choice = await chooseMedia(ctx, input)
      const total = await countMedia(ctx, choice, force)
      const progress = createProgress({ label: 'Fetched', total, json: flag('json') })
      const onDone = () => progress.advance()
      const done = await refetchMedia(ctx, choice, { force, concurrency, dryRun, onDone })
      progress.done()
      return done
    })
    if (flag('json')) return console.log(JSON.stringify({ ...result, dryRun }))
    for (const domain of result.unreachable) console.error(`${domain} does not answer`)
    const amount = { files: result.fetched, bytes: result.bytes }
    const failed = result.failed === 0 ? '' : `, ${result.failed} could not be had`
    console.log(dryRun ? `Would be fetched: ${amount.files} files` : `Fetched: ${describe(amount)}${failed}`)
  },
}

async function chooseMedia(ctx: Ctx, input: Input): Promise<MediaChoice> {
  const [status, account, domain] = ['status', 'account', 'domain'].map((name) => input.text(name))
  if (status !== undefined) {
    if (!isId(status)) throw new UsageError(`--status is ${JSON.stringify(status)}, not an id`)
    return { statusId: asId<StatusId>(status) }
  }
  if (account !== undefined) return { accountId: (await getAccount(ctx, account)).id }
  if (domain !== undefined) return { domain: requireOtherDomain(ctx, domain) }
  return { days: numberOf(input, 'days', { usual: 0, least: 1 }) }
}

const lookup: Command = {
  summary: 'Says where a file is shown, by its address',
  args: ['URL'],
  options: { json: jsonOption },
  async run({ args, env, flag }) {
    const url = args[0] as string
    const use = await withContext(env, ({ ctx }) => findFileUse(ctx, url))
    if (flag('json')) return console.log(JSON.stringify(use))
    if (use === null) throw new Error(`Nothing shows the file ${url}`)
    printList(['kind', 'id', 'name', 'shown at'], [[use.kind, use.id, use.name, use.url]])
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
      ['Previews of attachments', previews.local],
      ['Copies from other servers', attachments.cached],
      ['Previews of copies', previews.cached],
      ['Pictures of preview cards', cards],
    ]
    printList(
      ['what', 'files', 'size'],
      rows.map(([name, amount]) => [name, amount.files, bytes(amount.bytes)]),
    )
  },
}

const describe = ({ files, bytes: size }: Amount) =>
  `${files} ${files === 1 ? 'file' : 'files'}, ${bytes(size)}`

export const media: Group = {
  summary: 'Pictures, sounds and films',
  commands: { lookup, migrate, refresh, remove, 'remove-orphans': orphans, usage },
}
