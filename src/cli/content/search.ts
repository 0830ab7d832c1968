import { deploySearch } from '#domain/reading/search/index-statuses.ts'
import { UsageError, type Command, type Group } from '../kit/command.ts'
import { createProgress } from '../kit/progress.ts'
import { withContext } from '../kit/with-context.ts'

const standardBatch = 200
const maxBatch = 5000

const deploy: Command = {
  summary:
    'Makes all statuses findable that are not yet, or not as they are now; goes on where it was stopped',
  options: {
    all: { help: 'Writes the entries of all statuses anew' },
    'batch-size': { value: 'NUMBER', help: `Statuses at a time (${standardBatch})` },
  },
  async run({ env, flag, text }) {
    const batchSize = Number(text('batch-size') ?? standardBatch)
    if (!Number.isInteger(batchSize) || batchSize < 1 || batchSize > maxBatch) {
      throw new UsageError(`--batch-size takes a number from 1 to ${maxBatch}`)
    }
    const progress = createProgress({ label: 'Statuses' })
    let before = 0
    const done = await withContext(env, ({ ctx }) =>
      deploySearch(ctx, {
        all: flag('all'),
        batchSize,
        onProgress({ seen }) {
          progress.advance(seen - before)
          before = seen
        },
      }),
    )
    progress.done()
    console.log(`Statuses made findable: ${done.written} of ${done.seen}`)
  },
}

export const search: Group = { summary: 'What full-text search finds', commands: { deploy } }
