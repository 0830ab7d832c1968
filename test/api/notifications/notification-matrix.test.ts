// Who is notified and who is not: every kind × every relation, as a table to be read.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { afterConfirmation } from '#domain/identity/accounts/registration/confirm.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { notifyOfReport, notifyOfWarning } from '#domain/reading/notifications/notify-of-moderation.ts'
import { notifyOfAnnualReport } from '#domain/reading/notifications/notify.ts'
import { closePolls } from '#domain/content/polls/close-polls.ts'
import { useApp } from '#test/app/app.ts'
import { isNight } from '#test/run/night.ts'
import type { Json } from '#test/client/client.ts'
import type { Person, PersonOptions } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import type { AccountWarningId, AnnualReportId, ReportId } from '#lib/id.ts'

const app = useApp()

/** One recipient and one who does something, for one cell of the table. */
interface Cell {
  reader: Person
  sender: Person
  /** Whose conversation the reader would mute, and what a filter would meet. */
  statusId?: string
  made?: Json
}

interface Kind {
  type?: string
  role?: PersonOptions['role']
  /** The reader hears of it as from themselves. */
  own?: boolean
  /** What has to be there, and is settled before. */
  prepare?(cell: Cell): Promise<unknown>
  act?(cell: Cell): Promise<unknown>
  /** What happens after the relation has come to be, without an event of its own. */
  late?(cell: Cell): Promise<unknown>
}

const word = 'petrichor'
const says = async (cell: Cell, by: 'reader' | 'sender', text: string, more: Json = {}) => {
  const status = await cell[by].say(`${text} ${word}`, more)
  cell.statusId = status.id
  return status
}
const edits = async (cell: Cell, id: string) =>
  (await cell.sender.put(`/api/v1/statuses/${id}`, { status: `now with more ${word}` })).ok()
const collects = async ({ reader, sender }: Cell) => {
  ;(await reader.patch('/api/v1/accounts/update_credentials', { discoverable: true })).ok()
  const collection = { name: 'people', account_ids: [reader.accountId] }
  return (await sender.post('/api/v1/collections', collection)).ok().collection
}

const kinds: Record<string, Kind> = {
  mention: { act: (cell) => says(cell, 'sender', `@${cell.reader.username}`) },
  'direct mention': {
    type: 'mention',
    act: (cell) => says(cell, 'sender', `@${cell.reader.username}`, { visibility: 'direct' }),
  },
  status: {
    prepare: ({ reader, sender }) =>
      reader.post(`/api/v1/accounts/${sender.accountId}/follow`, { notify: true }),
    act: (cell) => says(cell, 'sender', 'news'),
  },
  reblog: {
    prepare: (cell) => says(cell, 'reader', 'boost me'),
    act: async ({ sender, statusId }) => (await sender.post(`/api/v1/statuses/${statusId}/reblog`)).ok(),
  },
  favourite: {
    prepare: (cell) => says(cell, 'reader', 'like me'),
    act: async ({ sender, statusId }) => (await sender.post(`/api/v1/statuses/${statusId}/favourite`)).ok(),
  },
  'pleroma:emoji_reaction': {
    prepare: (cell) => says(cell, 'reader', 'react'),
    act: async ({ sender, statusId }) =>
      (await sender.put(`/api/v1/pleroma/statuses/${statusId}/reactions/👍`)).ok(),
  },
  follow: { act: ({ reader, sender }) => sender.follow(reader) },
  follow_request: {
    prepare: ({ reader }) => reader.patch('/api/v1/accounts/update_credentials', { locked: true }),
    act: ({ reader, sender }) => sender.follow(reader),
  },
  poll: {
    async prepare(cell) {
      const poll = { options: ['tea', 'coffee'], expires_in: 600 }
      const asked = await says(cell, 'sender', 'what?', { poll })
      ;(await cell.reader.post(`/api/v1/polls/${asked.poll.id}/votes`, { choices: [0] })).ok()
    },
    async late({ statusId }) {
      const over = new Date(app.clock.now() - 1000)
      await sql`update polls set expires_at = ${over} where status_id = ${statusId}`.execute(app.ctx.db)
      await closePolls(app.ctx)
    },
  },
  update: {
    async prepare(cell) {
      const { id } = await says(cell, 'sender', 'first')
      ;(await cell.reader.post(`/api/v1/statuses/${id}/reblog`)).ok()
    },
    act: (cell) => edits(cell, cell.statusId as string),
  },
  quote: {
    prepare: async (cell) => (cell.made = await cell.reader.say('quote me')),
    act: (cell) => says(cell, 'sender', 'look', { quoted_status_id: cell.made.id }),
  },
  quoted_update: {
    async prepare(cell) {
      cell.made = await cell.sender.say('quote me')
      await says(cell, 'reader', 'look', { quoted_status_id: cell.made.id })
    },
    act: (cell) => edits(cell, cell.made.id),
  },
  added_to_collection: { act: collects },
  collection_update: {
    prepare: async (cell) => (cell.made = await collects(cell)),
    act: async ({ sender, made }) =>
      (await sender.patch(`/api/v1/collections/${made.id}`, { name: 'more people' })).ok(),
  },
  'admin.sign_up': {
    role: 'Moderator',
    act: ({ sender }) => app.ctx.transaction((tx) => afterConfirmation(tx, sender.userId, true)),
  },
  'admin.report': {
    role: 'Moderator',
    async late({ reader, sender }) {
      const id = app.ctx.newId<ReportId>()
      const report = { id, account_id: sender.accountId, target_account_id: reader.accountId }
      await app.ctx.db.insertInto('reports').values(report).execute()
      await notifyOfReport(app.ctx, id)
    },
  },
  severed_relationships: {
    own: true,
    async act({ reader }) {
      const { accountId, domain } = await remoteAccount(app.ctx, `${reader.username}.lost.example`)
      await sql`insert into follows (id, account_id, target_account_id)
        values (${app.ctx.newId()}, ${accountId}, ${reader.accountId})`.execute(app.ctx.db)
      ;(await reader.post('/api/v1/domain_blocks', { domain })).ok()
    },
  },
  moderation_warning: {
    own: true,
    async late({ reader }) {
      const id = app.ctx.newId<AccountWarningId>()
      const warning = { id, target_account_id: reader.accountId, action: 'none', text: 'Be kind' }
      await app.ctx.db.insertInto('account_warnings').values(warning).execute()
      await notifyOfWarning(app.ctx, id)
    },
  },
  annual_report: {
    own: true,
    async late({ reader }) {
      const id = app.ctx.newId<AnnualReportId>()
      await sql`insert into annual_reports (id, account_id, year, schema_version, data)
        values (${id}, ${reader.accountId}, 2025, 1, '{}')`.execute(app.ctx.db)
      await notifyOfAnnualReport(app.ctx, id)
    },
  },
}

interface Relation {
  take(cell: Cell): Promise<unknown>
  /** Ends it, so that what was only hidden would show. */
  drop?(cell: Cell): Promise<unknown>
}

const toSender =
  (action: string, params: Record<string, unknown> = {}) =>
  async ({ reader, sender }: Cell) =>
    (await reader.post(`/api/v1/accounts/${sender.accountId}/${action}`, params)).ok()
const policy =
  (changes: Record<string, string>, also: (cell: Cell) => Promise<unknown> = async () => {}) =>
  async (cell: Cell) => {
    ;(await cell.reader.patch('/api/v2/notifications/policy', changes)).ok()
    await also(cell)
  }
const limit = ({ sender }: Cell) =>
  sql`update accounts set silenced_at = now(), version = version + 1 where id = ${sender.accountId}`.execute(
    app.ctx.db,
  )
const automate = async ({ sender }: Cell) =>
  (await sender.patch('/api/v1/accounts/update_credentials', { bot: true })).ok()
const domainOf = ({ sender }: Cell) => `${sender.username}.example`
const letThrough = async ({ reader, sender }: Cell) => {
  const pair = { account_id: reader.accountId, from_account_id: sender.accountId }
  await app.ctx.db.insertInto('notification_permissions').values(pair).execute()
}
const everyRule = (value: string) => ({
  for_not_following: value,
  for_not_followers: value,
  for_new_accounts: value,
  for_private_mentions: value,
  for_limited_accounts: value,
  for_bots: value,
})

/** In the order of the table's columns. */
const relations: Record<string, Relation> = {
  'nothing between them': { take: async () => {} },
  'the recipient follows': { take: toSender('follow') },
  'the recipient blocks': { take: toSender('block'), drop: toSender('unblock') },
  'muted with notifications': { take: toSender('mute'), drop: toSender('unmute') },
  'muted without notifications': { take: toSender('mute', { notifications: false }) },
  'domain blocked': {
    async take(cell) {
      await sql`update accounts set domain = ${domainOf(cell)}, version = version + 1
        where id = ${cell.sender.accountId}`.execute(app.ctx.db)
      ;(await cell.reader.post('/api/v1/domain_blocks', { domain: domainOf(cell) })).ok()
    },
    drop: async (cell) =>
      (await cell.reader.delete('/api/v1/domain_blocks', { domain: domainOf(cell) })).ok(),
  },
  'a filter hides it': {
    async take({ reader }) {
      const filter = { title: 'words', context: ['notifications'], filter_action: 'hide' }
      const keywords_attributes = [{ keyword: word, whole_word: false }]
      ;(await reader.post('/api/v2/filters', { ...filter, keywords_attributes })).ok()
    },
  },
  'conversation muted': {
    take: async ({ reader, statusId }) =>
      statusId === undefined || (await reader.post(`/api/v1/statuses/${statusId}/mute`)).ok(),
    drop: async ({ reader, statusId }) =>
      statusId === undefined || (await reader.post(`/api/v1/statuses/${statusId}/unmute`)).ok(),
  },
  'not following: filter': { take: policy({ for_not_following: 'filter' }) },
  'not following: drop': { take: policy({ for_not_following: 'drop' }) },
  'not followers: filter': { take: policy({ for_not_followers: 'filter' }) },
  'not followers: drop': { take: policy({ for_not_followers: 'drop' }) },
  'new accounts: filter': { take: policy({ for_new_accounts: 'filter' }) },
  'new accounts: drop': { take: policy({ for_new_accounts: 'drop' }) },
  'private mentions: accept': { take: policy({ for_private_mentions: 'accept' }) },
  'private mentions: drop': { take: policy({ for_private_mentions: 'drop' }) },
  'limited accounts: filter': { take: policy({}, limit) },
  'limited accounts: accept': { take: policy({ for_limited_accounts: 'accept' }, limit) },
  'limited accounts: drop': { take: policy({ for_limited_accounts: 'drop' }, limit) },
  'bots: filter': { take: policy({ for_bots: 'filter' }, automate) },
  'bots: drop': { take: policy({ for_bots: 'drop' }, automate) },
  'bots: accept, as by default': { take: automate },
  'drops all, but was let through': { take: policy(everyRule('drop'), letThrough) },
  'drops all, but follows': { take: policy(everyRule('drop'), toSender('follow')) },
}

/** `+` told · `o` set aside as a request · `.` not told. The columns are the relations, in their order. */
const table = readTable(`
  mention                 + + . . + . . .  o .  o .  o .  + +  o + .  o . +  + .
  direct mention          o + . . o . . .  o .  o .  o .  + .  o o .  o . o  + .
  status                  + + . . . . . .  + +  + +  + +  + +  + + +  + + +  + +
  reblog                  + + . . + . + .  o .  o .  o .  + +  o + .  o . +  + .
  favourite               + + . . + . + .  o .  o .  o .  + +  o + .  o . +  + .
  pleroma:emoji_reaction  + + . . + . + .  o .  o .  o .  + +  o + .  o . +  + .
  follow                  + + . . + . + +  o .  o .  o .  + +  o + .  o . +  + .
  follow_request          + + . . + . + +  o .  o .  o .  + +  o + .  o . +  + .
  poll                    + + . . + . . .  + +  + +  + +  + +  + + +  + + +  + +
  update                  + + . . + . . .  + +  + +  + +  + +  + + +  + + +  + +
  quote                   + + . . + . . .  o .  o .  o .  + +  o + .  o . +  + .
  quoted_update           + + . . + . + .  + +  + +  + +  + +  + + +  + + +  + +
  added_to_collection     + + . . + . + +  o .  o .  o .  + +  o + .  o . +  + .
  collection_update       + + . . + . + +  + +  + +  + +  + +  + + +  + + +  + +
  admin.sign_up           + + . . + . + +  + +  + +  + +  + +  + + +  + + +  + +
  admin.report            + + . . + . + +  + +  + +  + +  + +  + + +  + + +  + +
  severed_relationships   + + + + + + + +  + +  + +  + +  + +  + + +  + + +  + +
  moderation_warning      + + + + + + + +  + +  + +  + +  + +  + + +  + + +  + +
  annual_report           + + + + + + + +  + +  + +  + +  + +  + + +  + + +  + +
`)

function readTable(text: string): Record<string, string[]> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(lines.map((line) => [line.slice(0, 26).trim(), line.slice(26).split(/ +/)]))
}

const columns = Object.keys(relations)
/** Of each kind of rows that are alike by the policy: by day these meet all of it. */
const wholeRows = ['mention', 'direct mention', 'status', 'follow', 'admin.report']
/** By day the others meet no policy but these. */
const somePolicies = ['not following: filter', 'bots: drop', 'drops all, but was let through']

/** Every second column, in the next row the others: two that are next to each other are mostly of one kind. */
const isOwnTurn = (kind: string, relation: string) =>
  (Object.keys(kinds).indexOf(kind) + columns.indexOf(relation)) % 2 === 0

const isTriedByDay = (kind: string, relation: string) =>
  isOwnTurn(kind, relation) &&
  (wholeRows.includes(kind) ||
    somePolicies.includes(relation) ||
    columns.indexOf(relation) < columns.indexOf('not following: filter'))

beforeAll(() => setSetting(app.ctx, 'emoji_reactions', true))

async function outcome(kind: Kind, type: string, { reader, sender }: Cell): Promise<string> {
  const from = kind.own ? reader.accountId : sender.accountId
  const query = { account_id: from, types: [type] }
  const found: Json[] = (await reader.get('/api/v1/notifications', query)).ok()
  const { notification_groups: groups } = (await reader.get('/api/v2/notifications', query)).ok()
  expect(groups.map((group: Json) => [group.type, group.filtered === true])).toEqual(
    found.map((one) => [one.type, one.filtered === true]),
  )
  const requests: Json[] = (await reader.get('/api/v1/notifications/requests')).ok()
  const requested = requests.some((request) => request.account.id === from)
  expect(requested).toBe(found.some((one) => one.filtered))
  if (found.length === 0) return '.'
  return found.map((one) => (one.filtered ? 'o' : '+')).join('')
}

describe('who is told of what [1-12] [2.2-7] [2.2-29] [ACC-12] [ACC-13]', () => {
  test('the table has a row for every kind and a column for every relation', () => {
    expect(Object.keys(table)).toEqual(Object.keys(kinds))
    const widths = new Set(Object.values(table).map((row) => row.length))
    expect([...widths]).toEqual([Object.keys(relations).length])
  })

  test.for(Object.entries(kinds))('%s', async ([name, kind]) => {
    const names = Object.keys(relations).filter((relation) => isNight || isTriedByDay(name, relation))
    const cells: [Relation, Cell][] = await Promise.all(
      names.map(async (column) => {
        const relation = relations[column] as Relation
        const reader = await app.person('reader', kind.role ? { role: kind.role } : {})
        return [relation, { reader, sender: await app.person('sender') }] as [Relation, Cell]
      }),
    )
    const each = async (step: (relation: Relation, cell: Cell) => Promise<unknown> | undefined) => {
      await Promise.all(cells.map(([relation, cell]) => step(relation, cell)))
    }
    await each((_, cell) => kind.prepare?.(cell))
    await app.settle()
    await each((_, cell) => kind.act?.(cell))
    await each((relation, cell) => relation.take(cell))
    await each((_, cell) => kind.late?.(cell))
    await app.settle()
    await each((relation, cell) => relation.drop?.(cell))
    await app.settle()
    const outcomes: [string, string][] = []
    for (const [index, [, cell]] of cells.entries()) {
      outcomes.push([names[index] as string, await outcome(kind, kind.type ?? name, cell)])
    }
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries(names.map((relation) => [relation, table[name]?.[columns.indexOf(relation)]])),
    )
  })
})
