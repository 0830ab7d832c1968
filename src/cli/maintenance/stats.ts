import { readStats, type Stats } from '#domain/maintenance/dashboard/stats.ts'
import { countDays } from '#domain/maintenance/dashboard/refresh-counts.ts'
import { jsonOption, type Command } from '../kit/command.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'

export const stats: Command = {
  summary: 'Prints the main numbers of the server, most of them as they were counted within the last hour',
  options: { count: { help: 'Count anew first, which takes a while on a large server' }, json: jsonOption },
  async run({ env, flag }) {
    const found = await withContext(env, async ({ ctx }) => {
      if (flag('count')) await countDays(ctx)
      return readStats(ctx)
    })
    if (flag('json')) return console.log(JSON.stringify(found))
    printList(['what', 'number'], linesOf(found))
  },
}

function linesOf(found: Stats): [name: string, value: string | number][] {
  const { active_users: active, new_users: fresh, space } = found
  return [
    ['Users', found.users],
    ['Here today', active.day],
    ['Here in the last 7 days', active.week],
    ['Here in the last 30 days', active.month],
    ['New in the last 7 days', fresh.week],
    ['New in the last 30 days', fresh.month],
    ['Waiting for approval', found.pending_users],
    ['Open reports', found.open_reports],
    ['Posts', found.posts],
    ['Replies among them', found.replies],
    ['Interactions in 7 days', found.interactions],
    ['Known servers', found.known_servers],
    ...Object.entries(space).map(([key, bytes]): [string, string] => [
      spaceNames[key] ?? key,
      `${(bytes / 1e6).toFixed(1)} MB`,
    ]),
  ]
}

const spaceNames: Readonly<Record<string, string>> = {
  postgresql: 'Database',
  redis: 'Redis',
  media: 'Media',
  media_cache: 'Copies of others’ media',
}
