import { readFile } from 'node:fs/promises'
import {
  announceTerms,
  createTerms,
  deleteTerms,
  getTerms,
  listTerms,
  publishTerms,
} from '#domain/server/instance/terms.ts'
import { jsonOption, type Command, type Group } from '../kit/command.ts'
import { createOnId } from '../kit/named.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'
import type { TermsOfServiceId } from '#lib/id.ts'

const list: Command = {
  summary: 'Lists versions and drafts of the terms of service, newest first',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const rows = await withContext(env, ({ ctx }) => listTerms(ctx))
    if (flag('json')) return console.log(JSON.stringify(rows))
    printList(
      ['id', 'from', 'state'],
      rows.map((row) => [row.id, row.day, row.published_at ? 'published' : 'draft']),
    )
  },
}

const show: Command = {
  summary: 'Prints the text of a version or draft',
  args: ['ID'],
  async run(input) {
    const { text } = await withContext(input.env, ({ ctx }) => onTerms(input, (id) => getTerms(ctx, id)))
    console.log(text)
  },
}

const create: Command = {
  summary: 'Makes a draft of the text in FILE and prints its id',
  args: ['FILE'],
  options: {
    'effective-date': {
      value: 'DAY',
      help: 'From which they are to hold, such as 2026-01-31; today by default',
    },
    changelog: { value: 'TEXT', help: 'What is new, for the mail to people' },
  },
  async run({ args, env, text }) {
    const wanted = {
      text: await readFile(args[0] as string, 'utf8'),
      effectiveDate: text('effective-date'),
      changelog: text('changelog'),
    }
    console.log(await withContext(env, ({ ctx }) => createTerms(ctx, 'operator', wanted)))
  },
}

const publish: Command = {
  summary: 'Makes a draft a version that people can read and that cannot be changed',
  args: ['ID'],
  options: { notify: { help: 'Mail everybody' } },
  async run(input) {
    const notify = input.flag('notify')
    await withContext(input.env, ({ ctx }) =>
      onTerms(input, (id) => publishTerms(ctx, 'operator', id, { notify })),
    )
    console.log('OK')
  },
}

const announce: Command = {
  summary: 'Mails everybody of a version that is published',
  args: ['ID'],
  async run(input) {
    await withContext(input.env, ({ ctx }) => onTerms(input, (id) => announceTerms(ctx, 'operator', id)))
    console.log('OK')
  },
}

const remove: Command = {
  summary: 'Deletes a draft',
  args: ['ID'],
  async run(input) {
    await withContext(input.env, ({ ctx }) => onTerms(input, (id) => deleteTerms(ctx, 'operator', id)))
    console.log('OK')
  },
}

const onTerms = createOnId<TermsOfServiceId>('terms list', (id) => `version or draft ${id} of the terms`)

export const terms: Group = {
  summary: 'Terms of service',
  commands: { create, delete: remove, list, notify: announce, publish, show },
}
