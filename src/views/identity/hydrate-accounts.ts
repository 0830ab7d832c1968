import type { Account } from '#entities/account.ts'
import type { Ctx } from '#ports/ctx.ts'
import {
  loadAccountLines,
  loadAccountRows,
  type AccountLine,
  type AccountRow,
} from '#domain/identity/accounts/load.ts'
import { renderAccount, renderAccountStatic, type AccountStatic } from '../render/account.ts'
import { hydrateCached, type Versioned } from '../hydrate/cached.ts'
import { hydrateEmojis } from '../hydrate/emojis.ts'
import type { AccountId } from '#lib/id.ts'
import { valueOf } from '#lib/collections.ts'
import { createObjectFacts } from '#lib/json/object-facts.ts'

/** The static parts of accounts: from the cache, the rest by a constant number of queries. */
export function hydrateAccountStatics(
  ctx: Ctx,
  lines: Iterable<Versioned<AccountId>>,
): Promise<Map<AccountId, AccountStatic>> {
  const render = (ids: readonly AccountId[]) => renderMissing(ctx, ids)
  return hydrateCached(ctx.caches.accounts, lines, render, (row) => row.moved_to_account_id !== null)
}

/** What lines were rendered to: a line that is kept is shown by page after page. */
const rendered = createObjectFacts<{ fixed: AccountStatic; account: Account }>()

/** The account of a line, rendered once for as long as the line is kept. */
export function renderLine(fixed: AccountStatic, line: AccountLine): Account {
  const known = rendered.get(line)
  if (known?.fixed === fixed) return known.account
  const account = renderAccount(fixed, line)
  if (!known) rendered.set(line, { fixed, account })
  return account
}

async function renderMissing(ctx: Ctx, ids: readonly AccountId[]): Promise<[AccountRow, AccountStatic][]> {
  const rows = await loadAccountRows(ctx, ids)
  return renderRows(ctx, rows, await loadMoved(ctx, rows))
}

async function renderRows(
  ctx: Ctx,
  rows: readonly AccountRow[],
  moved: ReadonlyMap<AccountId, Account>,
): Promise<[AccountRow, AccountStatic][]> {
  const source = (row: AccountRow) => ({
    text: [row.display_name, row.note, ...row.fields.flatMap((field) => [field.name, field.value])].join(
      '\n',
    ),
    domain: row.domain,
  })
  const emojisOf = await hydrateEmojis(ctx, rows.map(source))
  return rows.map((row) => [
    row,
    renderAccountStatic(ctx.config, {
      row,
      emojis: emojisOf(source(row)),
      moved: valueOf(moved, row.moved_to_account_id) ?? null,
    }),
  ])
}

/** Where moved accounts went, one step and no further: a chain of moves ends here. */
async function loadMoved(ctx: Ctx, rows: readonly AccountRow[]): Promise<Map<AccountId, Account>> {
  const ids = rows.flatMap((row) => row.moved_to_account_id ?? [])
  if (ids.length === 0) return new Map()
  const [targets, lines] = await Promise.all([
    loadAccountRows(ctx, ids).then((found) => renderRows(ctx, found, new Map())),
    loadAccountLines(ctx, ids),
  ])
  const none = { followers_count: 0, following_count: 0, statuses_count: 0, last_status_at: null }
  return new Map(targets.map(([{ id }, fixed]) => [id, renderAccount(fixed, lines.get(id) ?? none)]))
}
