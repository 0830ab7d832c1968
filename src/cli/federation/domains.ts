import type { Ctx } from '#ports/ctx.ts'
import { listNotAllowed, purgeHostByStaff } from '#domain/maintenance/deletion/purge-host.ts'
import {
  allowHost,
  disallowHost,
  getHostAllowOf,
  listHostAllows,
} from '#domain/trust/moderation/hosts/host-allows.ts'
import {
  createHostBlock,
  deleteHostBlock,
  findHostBlock,
  listHostBlocks,
  requireOtherDomain,
  severities,
  updateHostBlock,
  type HostBlockTerms,
  type Severity,
} from '#domain/trust/moderation/hosts/host-blocks.ts'
import { jsonOption, UsageError, type Command, type Group, type Input } from '../kit/command.ts'
import { listAll } from '../kit/list-all.ts'
import { createProgress } from '../kit/progress.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'

const block: Command = {
  summary: 'Blocks a server and those below it, or changes the block there is',
  args: ['DOMAIN'],
  options: {
    severity: { value: 'LEVEL', help: `${severities.join(', ')}; suspend by default` },
    'reject-media': { help: 'Take no files from it' },
    'reject-reports': { help: 'Take no reports from it' },
    obfuscate: { help: 'Hide some letters of its name from the public' },
    'private-comment': { value: 'TEXT', help: 'For staff' },
    'public-comment': { value: 'TEXT', help: 'For everybody to whom the settings show blocks' },
  },
  async run(input) {
    const terms = readTerms(input)
    await withContext(input.env, async ({ ctx }) => blockOrChange(ctx, input.args[0] as string, terms))
    console.log('OK')
  },
}

/** What is not given stays as it is; of a new block it is not so. */
function readTerms({ text, flag }: Input): HostBlockTerms {
  const severity = text('severity')
  if (severity !== undefined && !severities.includes(severity as Severity)) {
    throw new UsageError(`--severity is one of ${severities.join(', ')}`)
  }
  return {
    severity: severity as Severity | undefined,
    rejectMedia: flag('reject-media') || undefined,
    rejectReports: flag('reject-reports') || undefined,
    obfuscate: flag('obfuscate') || undefined,
    privateComment: text('private-comment'),
    publicComment: text('public-comment'),
  }
}

async function blockOrChange(ctx: Ctx, name: string, terms: HostBlockTerms): Promise<void> {
  const known = await findHostBlock(ctx, requireOtherDomain(ctx, name))
  if (known) {
    await updateHostBlock(ctx, 'operator', known.id, terms)
    return
  }
  const wanted = { ...terms, severity: terms.severity ?? 'suspend' }
  const made = await createHostBlock(ctx, 'operator', name, wanted)
  if (made.kind === 'covered') throw new UsageError(`The block of ${made.by.domain} says as much already`)
}

const unblock: Command = {
  summary: 'Lifts the block of a server',
  args: ['DOMAIN'],
  async run({ args, env }) {
    await withContext(env, async ({ ctx }) => {
      const domain = requireOtherDomain(ctx, args[0])
      const known = await findHostBlock(ctx, domain)
      if (!known) throw new UsageError(`There is no block of ${domain}`)
      await deleteHostBlock(ctx, 'operator', known.id)
    })
    console.log('OK')
  },
}

const list: Command = {
  summary: 'Lists blocks, newest first',
  options: {
    allowed: { help: 'The servers with which limited federation is allowed instead' },
    json: jsonOption,
  },
  async run({ env, flag }) {
    const rows = await withContext(env, ({ ctx }) =>
      flag('allowed')
        ? listAll((page) => listHostAllows(ctx, page))
        : listAll<object>((page) => listHostBlocks(ctx, page)),
    )
    if (flag('json')) return console.log(JSON.stringify(rows))
    const marksOf = (row: Record<string, unknown>) =>
      ['reject_media', 'reject_reports', 'obfuscate'].filter((name) => row[name] === true)
    const cellsOf = (row: Record<string, unknown>) =>
      [row['domain'], row['severity'], marksOf(row).join(',') || '-'] as string[]
    const columns = flag('allowed') ? 1 : 3
    printList(
      ['domain', 'severity', 'also'].slice(0, columns),
      (rows as Record<string, unknown>[]).map((row) => cellsOf(row).slice(0, columns)),
    )
  },
}

const allow: Command = {
  summary: 'Allows limited federation (LIMITED_FEDERATION_MODE) with a server',
  args: ['DOMAIN'],
  async run({ args, env }) {
    await withContext(env, ({ ctx }) => allowHost(ctx, 'operator', args[0]))
    console.log('OK')
  },
}

const disallow: Command = {
  summary: 'Takes that back. In limited federation the accounts of the server are deleted here',
  args: ['DOMAIN'],
  async run({ args, env }) {
    await withContext(env, async ({ ctx }) => {
      const { id } = await getHostAllowOf(ctx, requireOtherDomain(ctx, args[0]))
      await disallowHost(ctx, 'operator', id)
    })
    console.log('OK')
  },
}

const purge: Command = {
  summary: 'Removes all accounts of servers and those below them, and all they had. Blocks stay as they are',
  args: ['[DOMAIN...]'],
  options: {
    'limited-federation-mode': { help: 'Those of all servers that are not allowed, instead' },
    'dry-run': { help: 'Only say what would go' },
    json: jsonOption,
  },
  async run(input) {
    const { args, env, flag } = input
    const notAllowed = flag('limited-federation-mode')
    if (notAllowed === args.length > 0) throw new UsageError('Give domains, or --limited-federation-mode')
    const all = await withContext(env, async ({ ctx }) => {
      const purged: object[] = []
      for await (const name of notAllowed ? listNotAllowed(ctx) : args)
        purged.push(await purgeOne(ctx, name, input))
      return purged
    })
    if (flag('json')) console.log(JSON.stringify(all))
  },
}

async function purgeOne(ctx: Ctx, name: string, { flag }: Input): Promise<object> {
  const [dryRun, json] = [flag('dry-run'), flag('json')]
  const progress = createProgress({ label: name, json })
  const onRemoved = () => progress.advance()
  const purged = await purgeHostByStaff(ctx, 'operator', name, { dryRun, onRemoved })
  progress.done()
  const what = `${purged.accounts} accounts, ${purged.emojis} custom emoji`
  if (!json) console.log(`${purged.domain}\t${dryRun ? 'Would remove' : 'Removed'} ${what}`)
  return { ...purged, dryRun }
}

export const domains: Group = {
  summary: 'On what terms this server is with others',
  commands: { allow, block, disallow, list, purge, unblock },
}
