// Accounts of other servers: read again, or removed where nobody needs them or nobody is there any more.
import type { Ctx } from '#ports/ctx.ts'
import { countCullable, cullAccounts, type Culled } from '#domain/maintenance/deletion/cull-accounts.ts'
import { countPrunable, pruneAccounts } from '#domain/maintenance/deletion/prune-accounts.ts'
import {
  countChosen,
  refreshAccounts,
  type RefreshChoice,
} from '#domain/federation/queue/refresh-accounts.ts'
import { requireOtherDomain } from '#domain/trust/moderation/hosts/host-blocks.ts'
import { jsonOption, UsageError, type Command, type Input } from '../kit/command.ts'
import { concurrencyOf, concurrencyOption } from '../kit/numbers.ts'
import { getAccount } from '../kit/named.ts'
import { createProgress } from '../kit/progress.ts'
import { withContext } from '../kit/with-context.ts'
import type { AccountId } from '#lib/id.ts'

export const cull: Command = {
  summary: 'Removes accounts of other servers that are not there any more, by asking those servers',
  args: ['[DOMAIN...]'],
  options: {
    concurrency: concurrencyOption,
    'dry-run': { help: 'Only ask, and say which would go' },
    json: jsonOption,
  },
  async run(input) {
    const [concurrency, dryRun] = [concurrencyOf(input), input.flag('dry-run')]
    const result = await withContext(input.env, async ({ ctx }) => {
      const domains = input.args.map((name) => requireOtherDomain(ctx, name))
      const progress = progressOf(input, 'Asked for', await countCullable(ctx, domains))
      const onDone = () => progress.advance()
      const culled = await cullAccounts(ctx, 'operator', { domains, concurrency, dryRun, onDone })
      progress.done()
      return culled
    })
    if (input.flag('json')) console.log(JSON.stringify({ ...result, dryRun }))
    else showCulled(result, dryRun)
  },
}

function showCulled({ checked, culled, unreachable }: Culled, dryRun: boolean): void {
  for (const handle of culled) console.log(handle)
  for (const host of unreachable) console.error(`${host} does not answer: its accounts stay`)
  console.log(`${dryRun ? 'Would remove' : 'Removed'} ${culled.length} of ${checked} accounts`)
}

export const prune: Command = {
  summary: 'Removes accounts of other servers with which nobody and nothing here has to do',
  options: { 'dry-run': { help: 'Only count them' }, json: jsonOption },
  async run(input) {
    const dryRun = input.flag('dry-run')
    const count = await withContext(input.env, async ({ ctx }) => {
      const progress = progressOf(input, 'Looked at', await countPrunable(ctx))
      const pruned = await pruneAccounts(ctx, 'operator', { dryRun, onDone: progress.advance })
      progress.done()
      return pruned
    })
    if (input.flag('json')) return console.log(JSON.stringify({ accounts: count, dryRun }))
    console.log(`${dryRun ? 'Would remove' : 'Removed'} ${count} accounts`)
  },
}

export const refresh: Command = {
  summary: 'Reads accounts of other servers again, with pictures that are missing',
  args: ['[ACCT...]'],
  options: {
    all: { help: 'All of them' },
    domain: { value: 'DOMAIN', help: 'Those of this domain' },
    concurrency: concurrencyOption,
    'dry-run': { help: 'Only count them' },
    json: jsonOption,
  },
  async run(input) {
    const [concurrency, dryRun] = [concurrencyOf(input), input.flag('dry-run')]
    const ways = [input.args.length > 0, input.flag('all'), input.text('domain') !== undefined]
    if (ways.filter(Boolean).length !== 1) throw new UsageError('Give accounts, --domain, or --all')
    const result = await withContext(input.env, async ({ ctx }) => {
      const choice = await chooseAccounts(ctx, input)
      const progress = progressOf(input, 'Read', await countChosen(ctx, choice))
      const onDone = () => progress.advance()
      const refreshed = await refreshAccounts(ctx, choice, { concurrency, dryRun, onDone })
      progress.done()
      return refreshed
    })
    if (input.flag('json')) return console.log(JSON.stringify({ ...result, dryRun }))
    for (const host of result.unreachable)
      console.error(`${host} does not answer: its accounts stay as they are`)
    const failed = result.failed === 0 ? '' : `, ${result.failed} could not be read`
    console.log(`${dryRun ? 'Would refresh' : 'Refreshed'} ${result.refreshed} accounts${failed}`)
  },
}

async function chooseAccounts(ctx: Ctx, { args, text, flag }: Input): Promise<RefreshChoice> {
  if (flag('all')) return 'all'
  const domain = text('domain')
  if (domain !== undefined) return { domain: requireOtherDomain(ctx, domain) }
  const ids: AccountId[] = []
  for (const acct of args) ids.push((await getRemote(ctx, acct)).id)
  return { ids: ids }
}

async function getRemote(ctx: Ctx, acct: string) {
  const account = await getAccount(ctx, acct)
  if (account.domain === null) throw new UsageError(`${acct} is an account of this server`)
  return account
}

const progressOf = ({ flag }: Input, label: string, total: number) =>
  createProgress({ label, total, json: flag('json') })
