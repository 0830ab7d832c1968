import { createAnnouncement, deleteAnnouncement } from '#domain/reading/announcements/edit-announcement.ts'
import { listAllAnnouncements, type AnnouncementRow } from '#domain/reading/announcements/queries.ts'
import { isId } from '#lib/ids.ts'
import { jsonOption, UsageError, type Command, type Group } from '../kit/command.ts'
import { listAll } from '../kit/list-all.ts'
import { named } from '../kit/named.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'
import { asId, type AnnouncementId } from '#lib/id.ts'

const timeHelp = 'such as 2026-01-31T18:00Z; without a zone it is UTC'

const create: Command = {
  summary: 'Makes an announcement, which is shown to everybody who signs in, and prints its id',
  args: ['TEXT'],
  options: {
    'starts-at': { value: 'TIME', help: `When what it tells of begins, ${timeHelp}` },
    'ends-at': { value: 'TIME', help: 'When that ends: it is then no longer shown' },
    'all-day': { help: 'Both are meant as days' },
    'scheduled-at': { value: 'TIME', help: 'Show it from then on, not at once' },
  },
  async run({ args, env, text, flag }) {
    const input = {
      text: args[0],
      startsAt: text('starts-at'),
      endsAt: text('ends-at'),
      allDay: flag('all-day'),
      scheduledAt: text('scheduled-at'),
    }
    console.log(await withContext(env, ({ ctx }) => createAnnouncement(ctx, 'operator', input)))
  },
}

const list: Command = {
  summary: 'Lists the announcements, newest first',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const rows = await withContext(env, ({ ctx }) => listAll((page) => listAllAnnouncements(ctx, page)))
    if (flag('json')) return console.log(JSON.stringify(rows))
    printList(['id', 'state', 'text'], rows.map(describe))
  },
}

/** Characters of a text that are shown. */
const shown = 100

function describe(row: AnnouncementRow): string[] {
  const published = row.unpublished_at === null ? 'published' : 'over'
  const planned = row.scheduled_at === null ? 'draft' : `from ${row.scheduled_at.toISOString()}`
  const text = row.text.replace(/\s+/g, ' ').slice(0, shown)
  return [row.id, row.published_at === null ? planned : published, text]
}

const remove: Command = {
  summary: 'Deletes an announcement with the reactions to it, and prints its id',
  args: ['ID'],
  async run({ args: [id], env }) {
    if (!isId(id)) throw new UsageError(`${JSON.stringify(id)} is not the id of an announcement`)
    await withContext(env, ({ ctx }) =>
      named(`announcement ${id}`, deleteAnnouncement(ctx, 'operator', asId<AnnouncementId>(id))),
    )
    console.log(id)
  },
}

export const announcements: Group = {
  summary: 'Makes, lists and deletes announcements',
  commands: { create, delete: remove, list },
}
