import { getLocalUser } from '#domain/identity/accounts/local-user.ts'
import { listActions, type AuditFilter, type AuditRow } from '#domain/server/audit/queries.ts'
import { cleanName } from '#lib/text/sanitize-name.ts'
import type { Ctx } from '#ports/ctx.ts'
import { jsonOption, UsageError, type Command, type Group } from '../kit/command.ts'
import { printList, type Cell } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'
import type { IdCursor } from '#lib/id.ts'

const pageSize = 500
const standard = 100

const list: Command = {
  summary: 'Lists what staff, the command line and rules of the server did, newest first',
  options: {
    account: { value: 'NAME', help: 'Only what this account did' },
    action: { value: 'ACTION', help: 'Only this, such as suspend or destroy' },
    limit: { value: 'N', help: `How many at most; ${standard} without this option` },
    json: jsonOption,
  },
  async run({ env, text, flag }) {
    const limit = readLimit(text('limit'))
    const rows = await withContext(env, async ({ ctx }) => {
      const name = text('account')
      const accountId = name === undefined ? undefined : (await getLocalUser(ctx, name)).accountId
      return listSome(ctx, { accountId, action: text('action') }, limit)
    })
    if (flag('json')) return console.log(JSON.stringify(rows))
    printList(['at', 'who', 'action', 'whom or what', 'details'], rows.map(toCells))
  },
}

function readLimit(given: string | undefined): number {
  if (given === undefined) return standard
  if (!/^[1-9]\d{0,8}$/.test(given)) throw new UsageError('--limit is a number above 0')
  return Number(given)
}

async function listSome(ctx: Ctx, filter: AuditFilter, limit: number): Promise<AuditRow[]> {
  const rows: AuditRow[] = []
  for (let maxId: IdCursor | undefined; rows.length < limit;) {
    const page = await listActions(ctx, filter, { limit: Math.min(pageSize, limit - rows.length), maxId })
    rows.push(...page.items)
    if (!page.full || page.oldest === null) break
    maxId = page.oldest
  }
  return rows
}

/** Names come from others: nothing in them reaches the terminal as more than letters. */
function toCells(row: AuditRow): Cell[] {
  const actor = row.actor === 'staff' ? `@${row.username ?? '?'}` : `(${row.actor})`
  const details = Object.keys(row.details).length === 0 ? '' : cleanName(JSON.stringify(row.details))
  const target = [row.target_type, row.target_label || row.target_id || ''].join(' ')
  const cells = [row.created_at.toISOString(), actor, row.action, cleanName(target)]
  return details === '' ? cells : [...cells, details]
}

export const audit: Group = { summary: 'What was done to others, and by whom', commands: { list } }
