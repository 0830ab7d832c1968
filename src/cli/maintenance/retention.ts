import {
  getMaintenance,
  listMaintenance,
  pauseMaintenance,
  resumeMaintenance,
  type Maintenance,
} from '#domain/maintenance/retention/control.ts'
import { countUnused, remoteStatuses } from '#domain/maintenance/retention/remote-statuses.ts'
import { runMaintenance } from '#domain/maintenance/retention/run-maintenance.ts'
import type { Ctx } from '#ports/ctx.ts'
import { jsonOption, UsageError, type Command, type Group } from '../kit/command.ts'
import { named } from '../kit/named.ts'
import { createProgress, type Progress } from '../kit/progress.ts'
import { endingAtGoodPlace } from '../kit/signals.ts'
import { printList, type Cell } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'

const list: Command = {
  summary: 'Lists what removes what nobody needs any more, and how far it is',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const works = await withContext(env, ({ ctx }) => listMaintenance(ctx))
    if (flag('json')) return console.log(JSON.stringify(works))
    printList(
      ['name', 'state', 'what goes', 'removed', 'since', 'finished', 'problem'],
      works.map((work) => [work.name, describeState(work), work.summary, ...describeRun(work)]),
    )
  },
}

function describeState({ state, progress }: Maintenance): string {
  const percent = progress === null || progress === 1 ? '' : ` ${Math.floor(progress * 100)} %`
  return `${state}${percent}`
}

/** Of what never ran nothing is known. */
function describeRun({ removed, started_at: since, finished_at: end, error }: Maintenance): Cell[] {
  if (since === null) return [null, null, null, null]
  return [removed, since.toISOString(), end?.toISOString(), error?.split('\n')[0]]
}

const run: Command = {
  summary: 'Runs one of them now, from where it was left (`retention list` names them)',
  args: ['NAME'],
  options: {
    'dry-run': { help: `Only say how many would go (${remoteStatuses.name} alone)` },
    'full-speed': { help: 'Without the pauses that leave the machine to people' },
    json: jsonOption,
  },
  async run({ args: [name = ''], env, flag }) {
    const dryRun = flag('dry-run')
    if (dryRun && name !== remoteStatuses.name)
      throw new UsageError(`--dry-run is for ${remoteStatuses.name} alone`)
    const removed = await withContext(env, async ({ ctx }) => {
      await ofName(name, getMaintenance(ctx, name))
      const report = createReporter(name, flag('json'))
      const share = flag('full-speed') ? 1 : undefined
      return dryRun ? countDry(ctx, report) : runNow(ctx, { name, share, report })
    })
    if (flag('json')) return console.log(JSON.stringify({ name, removed, dryRun }))
    console.log(`${dryRun ? 'Would be removed' : 'Removed'}: ${removed}`)
  },
}

interface Reporter {
  advance(progress: { examined: number; expected: number | null }): void
  done(): void
}

/** How much there is becomes known when it begins. */
function createReporter(label: string, json: boolean): Reporter {
  let progress: Progress | undefined
  return {
    advance({ examined, expected }) {
      progress ??= createProgress({ label, json, total: expected ?? undefined })
      progress.advance(examined)
    },
    done: () => progress?.done(),
  }
}

const unwanted = 'content_cache_retention_period is not set: nothing goes (see `settings set`)'

async function countDry(ctx: Ctx, report: Reporter): Promise<number> {
  const count = await countUnused(ctx, report.advance).finally(report.done)
  if (count === null) throw new UsageError(unwanted)
  return count
}

async function runNow(
  ctx: Ctx,
  { name, share, report }: { name: string; share: number | undefined; report: Reporter },
): Promise<number> {
  try {
    // What is done stays done, and the server goes on with the rest.
    const end = await endingAtGoodPlace((signal) =>
      runMaintenance(ctx, name, { share, signal, onProgress: report.advance }),
    )
    const after = await getMaintenance(ctx, name)
    if (end === 'unavailable') throw new UsageError(explain(after))
    return after.removed
  } finally {
    report.done()
  }
}

function explain({ name, state }: Maintenance): string {
  if (state === 'paused') return `${name} is paused (see \`retention resume\`)`
  if (state === 'running') return `${name} is under way`
  return name === remoteStatuses.name ? unwanted : `${name} did not run`
}

const ofName = <T>(name: string, work: Promise<T>) => named(`${name} in \`retention list\``, work)

const pause: Command = {
  summary: 'Stops one of them, and keeps it from being begun',
  args: ['NAME'],
  async run({ args: [name = ''], env }) {
    await withContext(env, ({ ctx }) => ofName(name, pauseMaintenance(ctx, 'operator', name)))
    console.log('OK')
  },
}

const resume: Command = {
  summary: 'Lets one that was stopped go on where it was left',
  args: ['NAME'],
  async run({ args: [name = ''], env }) {
    await withContext(env, ({ ctx }) => ofName(name, resumeMaintenance(ctx, 'operator', name)))
    console.log('OK')
  },
}

export const retention: Group = {
  summary: 'What removes what nobody needs any more',
  commands: { list, run, pause, resume },
}
