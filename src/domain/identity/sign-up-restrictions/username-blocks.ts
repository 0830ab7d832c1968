// User names that staff keep back, besides those that nobody may have.
import { sql, type Selectable } from 'kysely'
import type { UsernameBlocksTable } from '#db/schema/moderation.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { isLocalUsername } from '#lib/acct.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { canBeRead, foldLookAlikes, normaliseLookAlikes } from './username-forms.ts'
import type { UsernameBlockId } from '#lib/id.ts'

/** `equals`: the whole name. `contains`: any part of it. */
export const comparisons = ['equals', 'contains'] as const
export type Comparison = (typeof comparisons)[number]

export interface UsernameBlock extends Pick<
  Selectable<UsernameBlocksTable>,
  'id' | 'username' | 'allow_with_approval' | 'created_at'
> {
  comparison: Comparison
}

/** What is not given has its default, or stays. */
export interface UsernameBlockTerms {
  username?: string | undefined
  comparison?: Comparison | undefined
  allowWithApproval?: boolean | undefined
}

const columns = sql`id, username, case when exact then 'equals' else 'contains' end as comparison,
  allow_with_approval, created_at`

/** The blocks, newest first. */
export async function listUsernameBlocks(reader: Reader, page: PageRequest): Promise<Page<UsernameBlock>> {
  const { rows } = await sql<UsernameBlock>`
    select ${columns} from username_blocks where ${inPage('id', page)} ${orderAndLimit('id', page)}`.execute(
    reader.db,
  )
  return toPage(rows, page, (row) => row.id)
}

/** Throws `not_found`. */
export async function getUsernameBlock(reader: Reader, id: UsernameBlockId): Promise<UsernameBlock> {
  const { rows } = await sql<UsernameBlock>`
    select ${columns} from username_blocks where id = ${id}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** The block of just this word, in whatever look-alikes it is written. */
export async function findUsernameBlock(reader: Reader, username: string): Promise<UsernameBlock | null> {
  const { rows } = await sql<UsernameBlock>`
    select ${columns} from username_blocks
    where normalized_username = ${normaliseLookAlikes(username)}`.execute(reader.db)
  return rows[0] ?? null
}

/** Throws `invalid` for what can be no name, or no part of one, and for a word that is blocked already. */
export async function createUsernameBlock(
  ctx: Ctx,
  staff: Staff,
  terms: UsernameBlockTerms,
): Promise<UsernameBlock> {
  const username = requireWord(terms.username)
  return ctx.transaction(async (tx) => {
    const now = new Date(tx.clock.now())
    const { rows } = await sql<UsernameBlock>`
      insert into username_blocks (id, username, normalized_username, exact, allow_with_approval, created_at, updated_at)
      values (${tx.newId()}, ${username}, ${normaliseLookAlikes(username)}, ${terms.comparison !== 'contains'},
        ${terms.allowWithApproval ?? false}, ${now}, ${now})
      on conflict (normalized_username) do nothing returning ${columns}`.execute(tx.db)
    if (!rows[0]) throw taken()
    await recordAction(tx, staff, toAction('create', rows[0]))
    return rows[0]
  })
}

/** Throws `not_found`, and `invalid` as `createUsernameBlock`. */
export async function updateUsernameBlock(
  ctx: Ctx,
  staff: Staff,
  id: UsernameBlockId,
  terms: UsernameBlockTerms,
): Promise<UsernameBlock> {
  return ctx.transaction(async (tx) => {
    const before = await getUsernameBlock(tx, id)
    const username = terms.username === undefined ? before.username : requireWord(terms.username)
    const other = await findUsernameBlock(tx, username)
    if (other && other.id !== id) throw taken()
    const { rows } = await sql<UsernameBlock>`
      update username_blocks set username = ${username}, normalized_username = ${normaliseLookAlikes(username)},
        exact = ${(terms.comparison ?? before.comparison) === 'equals'},
        allow_with_approval = ${terms.allowWithApproval ?? before.allow_with_approval},
        updated_at = ${new Date(tx.clock.now())}
      where id = ${id} returning ${columns}`.execute(tx.db)
    if (!rows[0]) throw notFound()
    await recordAction(tx, staff, toAction('update', rows[0]))
    return rows[0]
  })
}

/** Throws `not_found`. */
export async function deleteUsernameBlock(ctx: Ctx, staff: Staff, id: UsernameBlockId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<UsernameBlock>`
      delete from username_blocks where id = ${id} returning ${columns}`.execute(tx.db)
    if (!rows[0]) throw notFound()
    await recordAction(tx, staff, toAction('destroy', rows[0]))
  })
}

/** What is said of a name: whoever wants it needs approval, or cannot have it. Null when nothing is. */
export async function findNameRule(reader: Reader, username: string): Promise<'pending' | 'blocked' | null> {
  // `_` hides nothing of a whole name; inside of one it may part two words.
  const plain = username.replaceAll('_', '')
  const { rows } = await sql<{ word: string; exact: boolean; allow_with_approval: boolean }>`
    select normalized_username as word, exact, allow_with_approval from username_blocks
    where (exact and replace(normalized_username, 'l', 'i') = any(${[username, plain].map(foldLookAlikes)}::text[]))
      or (not exact and position(replace(normalized_username, 'l', 'i') in ${foldLookAlikes(username)}) > 0)`.execute(
    reader.db,
  )
  const found = rows.filter(({ word, exact }) =>
    exact ? canBeRead(username, word) || canBeRead(plain, word) : canBeRead(username, word, true),
  )
  if (found.length === 0) return null
  return found.some((block) => !block.allow_with_approval) ? 'blocked' : 'pending'
}

function requireWord(text: string | undefined): string {
  const word = text?.trim() ?? ''
  if (word === '') throw invalid('username', 'blank')
  if (!isLocalUsername(word)) throw invalid('username', 'invalid')
  return word
}

const taken = () => invalid('username', 'taken')

const toAction = (action: string, { id, username, comparison, allow_with_approval }: UsernameBlock) => ({
  action,
  targetType: 'username_block',
  targetId: id,
  label: username,
  details: { comparison, allow_with_approval },
})
