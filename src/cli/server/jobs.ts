import { discardFailedWork, listFailedWork, retryFailedWork, type FailedWork } from '#db/failed-work.ts'
import {
  discardFailedIncoming,
  listFailedIncoming,
  retryFailedIncoming,
} from '#domain/federation/queue/incoming.ts'
import { countWaitingTraffic } from '#domain/federation/queue/waiting-traffic.ts'
import { countWaitingWork } from '#domain/server/instance/waiting-work.ts'
import type { Ctx } from '#ports/ctx.ts'
import { jsonOption, UsageError, type Command, type Group, type Input } from '../kit/command.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'
import { asIds, type IncomingActivityId } from '#lib/id.ts'

const list: Command = {
  summary: 'Lists work that was given up, oldest first',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const rows = await withContext(env, ({ ctx }) => listFailed(ctx))
    if (flag('json')) return console.log(JSON.stringify(rows))
    const what = (row: FailedWork) => (row.effect === null ? row.name : `${row.name} (${row.effect})`)
    printList(
      ['id', 'given up', 'work', 'error'],
      rows.map((row) => [row.id, row.failedAt.toISOString(), what(row), firstLine(row.error)]),
    )
  },
}

/** Events and jobs of this server, and activities of others (`incoming-12`), whose sender stands in place of an effect. */
async function listFailed(ctx: Ctx): Promise<FailedWork[]> {
  const incoming = (await listFailedIncoming(ctx)).map((row) => ({
    id: `incoming-${row.id}`,
    name: 'activity',
    effect: row.signer,
    attempts: row.suspected,
    error: 'the process ended each time it was taken up',
    failedAt: row.failedAt,
  }))
  return [...(await listFailedWork(ctx.db)), ...incoming].toSorted((a, b) => +a.failedAt - +b.failedAt)
}

interface Change {
  word: string
  work: typeof retryFailedWork
  incoming: typeof retryFailedIncoming
}

async function changeFailed(ctx: Ctx, ids: readonly string[], { work, incoming }: Change): Promise<number> {
  const numbers = ids.flatMap((id) => (id.startsWith('incoming-') ? id.slice('incoming-'.length) : []))
  return (await work(ctx.db, ids)) + (await incoming(ctx, asIds<IncomingActivityId>(numbers)))
}

/** Others may have written part of it: nothing of that tells the terminal what to do. */

const firstLine = (text: string | null) => text?.split('\n')[0] ?? ''

const choice = { args: ['[ID...]'], options: { all: { help: 'All that `jobs list` shows' } } } as const

const retry: Command = {
  summary: 'Lets work that was given up run again, with all its attempts',
  ...choice,
  run: (input) =>
    change(input, { word: 'To run again', work: retryFailedWork, incoming: retryFailedIncoming }),
}

const discard: Command = {
  summary: 'Forgets work that was given up',
  ...choice,
  run: (input) =>
    change(input, { word: 'Discarded', work: discardFailedWork, incoming: discardFailedIncoming }),
}

async function change({ args, env, flag }: Input, how: Change): Promise<void> {
  if (flag('all') === args.length > 0) throw new UsageError('Give ids, or --all')
  const bad = args.find((id) => !/^(event|job|incoming)-\d{1,18}$/.test(id))
  if (bad !== undefined)
    throw new UsageError(`${JSON.stringify(bad)} is not an id such as event-12, job-34 or incoming-56`)
  const count = await withContext(env, async ({ ctx }) => {
    const ids = flag('all') ? (await listFailed(ctx)).map((work) => work.id) : args
    return changeFailed(ctx, ids, how)
  })
  console.log(`${how.word}: ${count}`)
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
    if (!flag('json')) printList(['work', 'count'], Object.entries(counts))
  },
}

export const jobs: Group = {
  summary: 'Work that waits or was given up',
  commands: { list, waiting, retry, discard },
}
