import { readFile } from 'node:fs/promises'
import {
  excludeHost,
  includeHost,
  listExclusions,
  type Exclusion,
} from '#domain/trust/block-lists/exclusions.ts'
import {
  exportHostAllows,
  exportHostBlocks,
  importHostAllows,
  importHostBlocks,
  previewImport,
  type ListImport,
} from '#domain/trust/block-lists/import.ts'
import { parseList, type ParsedList } from '#domain/trust/block-lists/parse-list.ts'
import { refreshByStaff } from '#domain/trust/block-lists/refresh.ts'
import {
  createSubscription,
  deleteSubscription,
  listSubscriptions,
  type Subscription,
} from '#domain/trust/block-lists/subscriptions.ts'
import { severities, type Severity } from '#domain/trust/moderation/hosts/host-blocks.ts'
import type { Ctx } from '#ports/ctx.ts'
import { jsonOption, UsageError, type Command, type Group, type Input } from '../kit/command.ts'
import { named, requireId } from '../kit/named.ts'
import { createProgress } from '../kit/progress.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'
import { asId, type BlockListSubscriptionId } from '#lib/id.ts'

const shownInDryRun = 1000
const allows = { help: 'The list of servers that are allowed (LIMITED_FEDERATION_MODE)' }

const importFile: Command = {
  summary: 'Blocks the servers that a file lists (CSV as Mastodon exports it, or a domain a line)',
  args: ['FILE'],
  options: {
    overwrite: { help: 'Blocks there are become as the file has them; without it they only become stricter' },
    allows,
    'dry-run': { help: 'Only say what would be blocked or allowed, and which follows that would end' },
    json: jsonOption,
  },
  async run(input) {
    const file = input.args[0] as string
    const list = readListed(file, await readFile(file, 'utf8'))
    await withContext(input.env, ({ ctx }) =>
      input.flag('allows') ? allowListed(ctx, list, input) : blockListed(ctx, list, input),
    )
    if (!input.flag('json'))
      for (const one of list.skipped) console.error(`line ${one.line}: ${one.reason}: ${one.text}`)
  },
}

/** Throws an Error of one line when there is nothing in the file to go by. */
function readListed(file: string, text: string): ParsedList {
  const list = parseList(text)
  if (list && list.hosts.length > 0) return list
  const [first] = list?.skipped ?? []
  const why = first
    ? `none of the ${list?.skippedCount} entries can be read (${first.reason}: ${JSON.stringify(first.text)})`
    : 'there is no list of servers in it'
  throw new Error(
    `${file}: ${why}; allowed is CSV as Mastodon exports it, with #domain,#severity in its first line, or a domain a line`,
  )
}

async function allowListed(ctx: Ctx, list: ParsedList, { flag }: Input): Promise<void> {
  const dryRun = flag('dry-run')
  const allowed = dryRun ? list.hosts.length : await importHostAllows(ctx, 'operator', list)
  const domains = list.hosts.map(({ domain }) => domain)
  if (flag('json')) console.log(JSON.stringify({ allowed, domains, skipped: list.skipped, dryRun }))
  else {
    if (dryRun) for (const domain of domains) console.log(domain)
    console.log(`${dryRun ? 'Would be allowed' : 'Allowed'}: ${allowed}`)
  }
}

async function blockListed(ctx: Ctx, list: ParsedList, { flag }: Input): Promise<void> {
  const [dryRun, json] = [flag('dry-run'), flag('json')]
  const progress = createProgress({ label: 'Servers', total: list.hosts.length, json })
  const outcomes = new Map<string, string>()
  const { skipped, ...counts } = await importHostBlocks(ctx, 'operator', list, {
    overwrite: flag('overwrite'),
    dryRun,
    onEach(domain, outcome) {
      progress.advance()
      if (dryRun) outcomes.set(domain, outcome)
    },
  })
  progress.done()
  if (dryRun) await preview(ctx, list, outcomes, json)
  if (!json) for (const line of describeCounts(counts, dryRun)) console.log(line)
  if (json && !dryRun) console.log(JSON.stringify({ ...counts, skipped }))
}

function describeCounts(counts: Omit<ListImport, 'skipped'>, dryRun: boolean): string[] {
  const { created, updated, unchanged, skippedCount } = counts
  if (!dryRun) return Object.entries(counts).map(([name, count]) => `${name}: ${count}`)
  return [
    `Would be blocked: ${created}, changed: ${updated}, unchanged: ${unchanged}, skipped: ${skippedCount}`,
  ]
}

async function preview(
  ctx: Ctx,
  list: ParsedList,
  outcomes: ReadonlyMap<string, string>,
  json: boolean,
): Promise<void> {
  const { hosts, total } = await previewImport(ctx, list, shownInDryRun)
  const shown = hosts.map((host) => ({ ...host, outcome: outcomes.get(host.domain) ?? null }))
  if (json) return console.log(JSON.stringify(shown))
  const endsOf = (host: (typeof hosts)[number]) =>
    `${host.followsCount} follows, ${host.followersCount} followers`
  printList(
    ['domain', 'severity', 'now', 'ends', 'block'],
    shown.map((host) => [host.domain, host.severity, host.currentSeverity, endsOf(host), host.outcome]),
  )
  if (total > hosts.length) console.log(`and ${total - hosts.length} more`)
}

const exportFile: Command = {
  summary: "Prints this server's blocks as CSV that Mastodon reads",
  options: { allows },
  async run({ env, flag }) {
    await withContext(env, async ({ ctx }) => {
      process.stdout.write(flag('allows') ? await exportHostAllows(ctx) : await exportHostBlocks(ctx))
    })
  },
}

const list: Command = {
  summary: 'Lists the subscriptions',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const rows = await withContext(env, ({ ctx }) => listSubscriptions(ctx))
    if (flag('json')) return console.log(JSON.stringify(rows))
    printList(['id', 'use', 'entries', 'state', 'address'], rows.map(describe))
  },
}

const describe = (row: Subscription) => [
  row.id,
  row.applied ? `applied up to ${row.most_severity}` : 'only shown',
  `${row.entries_count} domains`,
  row.error ?? 'fine',
  row.url,
]

const subscribe: Command = {
  summary: 'Subscribes to a published list, which is fetched now and each day',
  args: ['URL'],
  options: {
    title: { value: 'TEXT', help: 'What it is called here' },
    severity: { value: 'LEVEL', help: `What its entries do at most: ${severities.join(', ')}` },
    apply: { help: 'Block what it lists; without it the list is only shown' },
    'keep-retracted': { help: 'Keep blocks of servers that it no longer lists' },
  },
  async run({ args, env, text, flag }) {
    const severity = text('severity')
    if (severity !== undefined && !severities.includes(severity as Severity))
      throw new UsageError(`--severity is one of ${severities.join(', ')}`)
    await withContext(env, async ({ ctx }) => {
      const { id } = await createSubscription(ctx, 'operator', {
        url: args[0],
        title: text('title'),
        mostSeverity: severity as Severity | undefined,
        applied: flag('apply'),
        retract: !flag('keep-retracted'),
      })
      await refresh(ctx, id, false)
      console.log(id)
    })
  },
}

async function refresh(ctx: Ctx, id: BlockListSubscriptionId, force: boolean): Promise<void> {
  const problem = await named(`subscription ${id}`, refreshByStaff(ctx, 'operator', id, force))
  if (problem !== null) console.error(problem)
}

const readId = (text: string | undefined) =>
  asId<BlockListSubscriptionId>(requireId(text, 'block-lists list'))

const unsubscribe: Command = {
  summary: 'Ends a subscription and lifts what it blocked',
  args: ['ID'],
  options: { keep: { help: 'Keep its blocks' } },
  async run({ args, env, flag }) {
    const id = readId(args[0])
    await withContext(env, ({ ctx }) =>
      named(`subscription ${id}`, deleteSubscription(ctx, 'operator', id, { keep: flag('keep') })),
    )
    console.log('OK')
  },
}

const refreshCommand: Command = {
  summary: 'Fetches subscribed lists now',
  args: ['[ID...]'],
  options: { force: { help: 'Also believe a list that lost most of its entries' } },
  async run({ args, env, flag }) {
    const given = args.map(readId)
    await withContext(env, async ({ ctx }) => {
      const ids = given.length > 0 ? given : (await listSubscriptions(ctx)).map(({ id }) => id)
      for (const id of ids) await refresh(ctx, id, flag('force'))
    })
    console.log('OK')
  },
}

const exclude: Command = {
  summary: 'Keeps a server, and those below it, from being blocked by lists; without a name: prints them',
  args: ['[DOMAIN]'],
  options: {
    remove: { help: 'Lists may block it again' },
    comment: { value: 'TEXT', help: 'Why' },
    json: { help: 'Without a name: print JSON' },
  },
  async run({ args: [domain], env, text, flag }) {
    await withContext(env, async ({ ctx }) => {
      if (domain === undefined) printExclusions(await listExclusions(ctx), flag('json'))
      else if (flag('remove')) await named(`exclusion of ${domain}`, includeHost(ctx, 'operator', domain))
      else await excludeHost(ctx, 'operator', domain, text('comment') ?? '')
    })
  },
}

function printExclusions(all: readonly Exclusion[], json: boolean): void {
  if (json) return console.log(JSON.stringify(all))
  printList(
    ['domain', 'comment'],
    all.map(({ domain, comment }) => [domain, comment]),
  )
}

export const blockLists: Group = {
  summary: 'Lists of servers to block: files, and subscriptions to published ones',
  commands: {
    exclude,
    export: exportFile,
    import: importFile,
    list,
    refresh: refreshCommand,
    subscribe,
    unsubscribe,
  },
}
