import { withContext } from '#app/command-context.ts'
import { openStores, type StoreName, type Stores } from '#app/media/stores.ts'
import {
  copyMedia,
  removeMigrated,
  type Confirmed,
  type Migrated,
} from '#domain/content/media/storage/migrate.ts'
import { isAppError } from '#lib/errors.ts'
import type { Ctx } from '#ports/ctx.ts'
import { jsonOption, UsageError, type Command, type Input } from '../kit/command.ts'
import { concurrencyOf, concurrencyOption } from '../kit/numbers.ts'
import { createProgress } from '../kit/progress.ts'
import { bytes } from '../kit/sizes.ts'

const names: Readonly<Record<StoreName, string>> = { disk: 'DATA_DIR/media', s3: 'the bucket' }

export const migrate: Command = {
  summary:
    'Copies media from the disk into the bucket of S3_BUCKET (s3), or back (disk); go on by running it again',
  args: ['s3|disk'],
  options: {
    confirm: { help: 'The server uses the new place: remove from the old one what the new one has' },
    'by-size': { help: 'What is in both places is the same if its size is; its content is not read' },
    concurrency: { ...concurrencyOption, help: 'Files at a time (5)' },
    'dry-run': { help: 'Only count' },
    json: jsonOption,
  },
  async run(input) {
    const target = targetOf(input)
    await withContext(input.env, async ({ ctx }) => {
      const stores = openStores(input.env, ctx.log)
      try {
        await (input.flag('confirm') ? confirm : copy)({ ctx, stores, target, input })
      } catch (error) {
        throw withCause(error)
      } finally {
        await stores.close()
      }
    })
  },
}

function targetOf({ args }: Input): StoreName {
  const [target] = args
  if (target === 's3' || target === 'disk') return target
  throw new UsageError(`${JSON.stringify(target)} is neither s3 nor disk`)
}

interface Work {
  ctx: Ctx
  stores: Stores
  target: StoreName
  input: Input
}

const sourceOf = (target: StoreName): StoreName => (target === 's3' ? 'disk' : 's3')

function optionsOf({ stores, target, input }: Work) {
  const progress = createProgress({ label: 'Files', json: input.flag('json') })
  const options = {
    from: stores[sourceOf(target)],
    to: stores[target],
    concurrency: concurrencyOf(input),
    bySize: input.flag('by-size'),
    dryRun: input.flag('dry-run'),
    onDone: progress.advance,
  }
  return { progress, options }
}

async function copy(work: Work): Promise<void> {
  const { ctx, stores, target, input } = work
  const { progress, options } = optionsOf(work)
  const done = await copyMedia(ctx, options)
  progress.done()
  if (input.flag('json')) return console.log(JSON.stringify({ ...done, dryRun: options.dryRun }))
  console.log(describeCopied(done, options.dryRun))
  if (!options.dryRun) console.log(nextStep(stores.current, target))
}

function describeCopied({ files, bytes: size, there, unnamed, strange }: Migrated, dryRun: boolean): string {
  const left = [
    [there, 'already there'],
    [unnamed, 'left because nothing names them'],
    [strange, 'left because they are not of this server'],
  ] as const
  return [
    `${dryRun ? 'Would be copied' : 'Copied'}: ${countOf(files)}, ${bytes(size)}`,
    ...left.filter(([count]) => count > 0).map(([count, what]) => `${what}: ${count}`),
  ].join('; ')
}

const countOf = (files: number) => `${files} ${files === 1 ? 'file' : 'files'}`

function nextStep(current: StoreName, target: StoreName): string {
  if (current === target)
    return `The server uses ${names[target]}: --confirm removes the files from ${names[sourceOf(target)]}`
  const setting = target === 's3' ? 'S3_ENABLED=true' : 'S3_ENABLED=false'
  return `Now set ${setting}, restart the server, and run this again for what came meanwhile`
}

async function confirm(work: Work): Promise<void> {
  const { ctx, stores, target, input } = work
  if (stores.current !== target)
    throw new Error(
      `The server still keeps its media in ${names[stores.current]}: set S3_ENABLED=${target === 's3'} and restart it first`,
    )
  const { progress, options } = optionsOf(work)
  const done = await removeMigrated(ctx, 'operator', options)
  progress.done()
  if (input.flag('json')) console.log(JSON.stringify({ ...done, dryRun: options.dryRun }))
  else console.log(describeRemoved(done, { dryRun: options.dryRun, place: names[sourceOf(target)] }))
  if (done.missing > 0)
    throw new Error(
      `${countOf(done.missing)} not in ${names[target]}: run it without --confirm first, then again`,
    )
}

function describeRemoved(
  { files, bytes: size, strange }: Confirmed,
  { dryRun, place }: { dryRun: boolean; place: string },
): string {
  const amount = `${dryRun ? 'Would be removed' : 'Removed'} from ${place}: ${countOf(files)}, ${bytes(size)}`
  return strange === 0 ? amount : `${amount}; left because they are not of this server: ${strange}`
}

/** What an operator has to know stands in the cause, which people never see. */
function withCause(error: unknown): unknown {
  if (!isAppError(error) || !(error.cause instanceof Error)) return error
  return new Error(`${error.message}: ${error.cause.message}`, { cause: error })
}
