import {
  discardGivenUp,
  isWorkId,
  listGivenUp,
  retryGivenUp,
  type GivenUp,
} from '#domain/maintenance/jobs/given-up.ts'
import { countWaitingTraffic } from '#domain/federation/queue/waiting-traffic.ts'
import { countWaitingWork } from '#domain/server/instance/waiting-work.ts'
import { jsonOption, UsageError, type Command, type Group, type Input } from '../kit/command.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'

const list: Command = {
  summary: 'Lists work that was given up, oldest first',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const rows = await withContext(env, ({ ctx }) => listGivenUp(ctx))
    if (flag('json')) return console.log(JSON.stringify(rows))
    const what = (row: GivenUp) => (row.effect === null ? row.name : `${row.name} (${row.effect})`)
    printList(
      ['id', 'given up', 'work', 'error'],
      rows.map((row) => [row.id, row.failedAt.toISOString(), what(row), firstLine(row.error)]),
    )
  },
}

const firstLine = (text: string | null) => text?.split('\n')[0] ?? ''

const choice = { args: ['[ID...]'], options: { all: { help: 'All that `jobs list` shows' } } } as const

const retry: Command = {
  summary: 'Lets work that was given up run again, with all its attempts',
  ...choice,
  run: (input) => change(input, 'To run again', retryGivenUp),
}

const discard: Command = {
  summary: 'Forgets work that was given up',
  ...choice,
  run: (input) => change(input, 'Discarded', discardGivenUp),
}

async function change({ args, env, flag }: Input, word: string, how: typeof retryGivenUp): Promise<void> {
  if (flag('all') === args.length > 0) throw new UsageError('Give ids, or --all')
  const bad = args.find((id) => !isWorkId(id))
  if (bad !== undefined)
    throw new UsageError(`${JSON.stringify(bad)} is not an id such as event-12, job-34 or incoming-56`)
  const { count, missing } = await withContext(env, async ({ ctx }) => {
    const there = (await listGivenUp(ctx)).map((work) => work.id)
    const ids = flag('all') ? there : args
    return {
      count: await how(ctx, 'operator', ids),
      missing: [...new Set(ids)].filter((id) => !there.includes(id)),
    }
  })
  console.log(`${word}: ${count}`)
  if (missing.length > 0) throw new Error(`Not in \`jobs list\`: ${missing.join(', ')}`)
}

const waiting: Command = {
  summary: 'Counts what waits: events, jobs, and what goes between this server and others',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const counts = await withContext(env, async ({ ctx }) => ({
      ...(await countWaitingWork(ctx)),
      ...(await countWaitingTraffic(ctx)),
    }))
    if (flag('json')) console.log(JSON.stringify(counts))
    if (!flag('json')) printList(['work', 'count'], Object.entries(counts))
  },
}

export const jobs: Group = {
  summary: 'Work that waits or was given up',
  commands: { list, waiting, retry, discard },
}
