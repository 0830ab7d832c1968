import { countUnused, remoteStatusesOlderThan } from '#domain/maintenance/retention/remote-statuses.ts'
import { runBatches, type BatchTask } from '#domain/maintenance/retention/run-batches.ts'
import { getMaintenance } from '#domain/maintenance/retention/control.ts'
import type { Ctx } from '#ports/ctx.ts'
import { jsonOption, UsageError, type Command, type Group } from '../kit/command.ts'
import { numberOf } from '../kit/numbers.ts'
import { createProgress, type Progress } from '../kit/progress.ts'
import { endingAtGoodPlace } from '../kit/signals.ts'
import { withContext } from '../kit/with-context.ts'

const usualDays = 90

type Show = (progress: { examined: number; expected: number | null }) => void

const remove: Command = {
  summary: "Forgets other servers' old posts that nobody here touched; goes on where it was stopped",
  options: {
    days: { value: 'N', help: `Those that came so many days ago: ${usualDays} unless given` },
    'clean-followed': { help: 'Also those of accounts that somebody here follows' },
    'full-speed': { help: 'Without the pauses that leave the machine to people' },
    'dry-run': { help: 'Only say how many would go' },
    json: jsonOption,
  },
  async run(input) {
    const { env, flag } = input
    const days = numberOf(input, 'days', { usual: usualDays, least: 1 })
    const work = remoteStatusesOlderThan(days, !flag('clean-followed'))
    const [dryRun, json] = [flag('dry-run'), flag('json')]
    let progress: Progress | undefined
    const show: Show = ({ examined, expected }) => {
      progress ??= createProgress({ label: 'Posts', json, total: expected ?? undefined })
      progress.advance(examined)
    }
    const removed = await withContext(env, ({ ctx }) =>
      dryRun
        ? countUnused(ctx, show, work)
        : runNow(ctx, work, { share: flag('full-speed') ? 1 : undefined, show }),
    )
    progress?.done()
    if (json) return console.log(JSON.stringify({ removed, dryRun }))
    console.log(`${dryRun ? 'Would be removed' : 'Removed'}: ${removed}`)
  },
}

/** SIGINT and SIGTERM end it after a batch. The server goes on with what is left. */
async function runNow(
  ctx: Ctx,
  work: BatchTask,
  { share, show }: { share: number | undefined; show: Show },
): Promise<number> {
  const end = await endingAtGoodPlace((signal) =>
    runBatches(ctx, work, { begin: true, share, signal, onProgress: show }),
  )
  const { state, removed } = await getMaintenance(ctx, work.name)
  if (end !== 'unavailable') return removed
  throw new UsageError(
    state === 'paused'
      ? `${work.name} is paused: see \`retention resume\``
      : `${work.name} is under way: see \`retention list\``,
  )
}

export const statuses: Group = { summary: 'Posts of other servers', commands: { remove } }
