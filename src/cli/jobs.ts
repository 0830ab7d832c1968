import { discardFailedWork, listFailedWork, retryFailedWork } from '#db/failed-work.ts'
import { countWaitingTraffic } from '#domain/exchange/waiting-traffic.ts'
import { countWaitingWork } from '#domain/instance/waiting-work.ts'
import { jsonOption, UsageError, type Command, type Group, type Input } from './command.ts'
import { withContext } from './with-context.ts'

const list: Command = {
  summary: 'Lists work that was given up, oldest first',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const rows = await withContext(env, ({ ctx }) => listFailedWork(ctx.db))
    if (flag('json')) console.log(JSON.stringify(rows))
    for (const row of flag('json') ? [] : rows) {
      const what = row.effect === null ? row.name : `${row.name} (${row.effect})`
      console.log([row.id, row.failedAt.toISOString(), what, firstLine(row.error)].join('\t'))
    }
  },
}

const firstLine = (text: string | null) => text?.split('\n')[0] ?? ''

const choice = { args: ['[ID...]'], options: { all: { help: 'All that `jobs list` shows' } } } as const

const retry: Command = {
  summary: 'Lets work that was given up run again, with all its attempts',
  ...choice,
  run: (input) => change(input, 'To run again', retryFailedWork),
}

const discard: Command = {
  summary: 'Forgets work that was given up',
  ...choice,
  run: (input) => change(input, 'Discarded', discardFailedWork),
}

async function change({ args, env, flag }: Input, word: string, act: typeof retryFailedWork): Promise<void> {
  if (flag('all') === args.length > 0) throw new UsageError('Give ids, or --all')
  const bad = args.find((id) => !/^(event|job)-\d{1,18}$/.test(id))
  if (bad !== undefined)
    throw new UsageError(`${JSON.stringify(bad)} is not an id such as event-12 or job-34`)
  const count = await withContext(env, async ({ ctx }) => {
    const ids = flag('all') ? (await listFailedWork(ctx.db)).map((work) => work.id) : args
    return act(ctx.db, ids)
  })
  console.log(`${word}: ${count}`)
  if (!flag('all') && count < new Set(args).size) throw new Error('Not all of these ids are in `jobs list`')
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
    for (const [name, count] of flag('json') ? [] : Object.entries(counts)) console.log(`${name}\t${count}`)
  },
}

export const jobs: Group = {
  summary: 'Work that waits or was given up',
  commands: { list, waiting, retry, discard },
}
