import { removeCardImages } from '#domain/content/cards/remove-images.ts'
import { jsonOption, type Command, type Group } from '../kit/command.ts'
import { numberOf } from '../kit/numbers.ts'
import { createProgress } from '../kit/progress.ts'
import { bytes } from '../kit/sizes.ts'
import { withContext } from '../kit/with-context.ts'

const usualDays = 180

const remove: Command = {
  summary: 'Deletes the pictures of old preview cards',
  options: {
    days: { value: 'N', help: `Of cards that were not read for so many days: ${usualDays} unless given` },
    link: { help: 'Only of cards of pages, not of pictures and films' },
    'dry-run': { help: 'Only say what would be deleted' },
    json: jsonOption,
  },
  async run(input) {
    const { env, flag } = input
    const days = numberOf(input, 'days', { usual: usualDays })
    const dryRun = flag('dry-run')
    const progress = createProgress({ label: 'Cards', json: flag('json') })
    const removed = await withContext(env, ({ ctx }) =>
      removeCardImages(ctx, { days, onlyLinks: flag('link'), dryRun, onDone: progress.advance }),
    )
    progress.done()
    if (flag('json')) return console.log(JSON.stringify({ ...removed, dryRun }))
    const what = `${removed.files} pictures of cards, ${bytes(removed.bytes)}`
    console.log(`${dryRun ? 'Would be removed' : 'Removed'}: ${what}`)
  },
}

export const previewCards: Group = { summary: 'Previews of links', commands: { remove } }
