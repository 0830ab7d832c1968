// Collections of accounts that people recommend (Mastodon API 4.6): making, changing and removing them.
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { everyoneId } from '#domain/identity/accounts/permissions.ts'
import { findOrInsertTag } from '#domain/content/tags/follow-tag.ts'
import { parseTagName } from '#domain/content/tags/queries.ts'
import { forbidden, invalidForm, problem } from '#lib/errors.ts'
import type { Field, Problem } from '#lib/messages/describe-error.ts'
import { parseLanguage } from '#lib/text/language.ts'
import { cleanText } from '#lib/text/text.ts'
import { addItem, getFeaturable, maxItems, tooManyItems } from './items.ts'
import { getOwnCollection } from './queries.ts'
import type { AccountId, CollectionId } from '#lib/id.ts'

const nameCharacters = 40
const descriptionCharacters = 100

export interface CollectionInput {
  name?: string | undefined
  description?: string | undefined
  /** Blank: none. */
  language?: string | undefined
  /** Blank: none. */
  tagName?: string | undefined
  sensitive?: boolean | undefined
  discoverable?: boolean | undefined
}

interface Changes {
  name?: string
  description?: string
  language?: string | null
  tag?: { name: string; display: string } | null
  sensitive?: boolean
  discoverable?: boolean
}

/** Makes a collection of these accounts. Throws `invalid` with `details`, and `forbidden` beyond the limit. */
export async function createCollection(
  ctx: Ctx,
  viewer: Viewer,
  input: CollectionInput & { accountIds?: readonly AccountId[] | undefined },
): Promise<CollectionId> {
  const changes = parseChanges({ ...input, name: input.name ?? '' })
  const accountIds = [...new Set(input.accountIds)]
  if (accountIds.length > maxItems) throw tooManyItems()
  for (const id of accountIds) await getFeaturable(ctx, viewer, id)
  return ctx.transaction(async (tx) => {
    await sql`select 1 from accounts where id = ${viewer.accountId} for no key update`.execute(tx.db)
    if (!(await hasRoom(tx, viewer.accountId))) throw forbidden()
    const id = tx.newId<CollectionId>()
    await insertCollection(tx, { id, accountId: viewer.accountId }, changes)
    for (const accountId of accountIds) await addItem(tx, id, accountId)
    await tx.emit({ type: 'collection.created', collectionId: id })
    return id
  })
}

/** Whether somebody may have one more: their role says how many, or that of everybody. */
async function hasRoom(tx: Tx, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql<{ room: boolean }>`
    select (select count(*) from collections where account_id = ${accountId}) < r.collection_limit as room
    from users u join roles r on r.id = coalesce(u.role_id, ${everyoneId})
    where u.account_id = ${accountId}`.execute(tx.db)
  return rows[0]?.room === true
}

async function insertCollection(
  tx: Tx,
  { id, accountId }: { id: CollectionId; accountId: AccountId },
  changes: Changes,
): Promise<void> {
  const now = new Date(tx.clock.now())
  await tx.db
    .insertInto('collections')
    .values({
      id,
      account_id: accountId,
      name: changes.name ?? '',
      description: changes.description ?? '',
      language: changes.language ?? null,
      tag_id: changes.tag ? await findOrInsertTag(tx, changes.tag) : null,
      sensitive: changes.sensitive ?? false,
      discoverable: changes.discoverable ?? true,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/** Changes what is given. Throws `not_found` for those of others and `invalid` with `details`. */
export async function updateCollection(
  ctx: Ctx,
  viewer: Viewer,
  id: CollectionId,
  input: CollectionInput,
): Promise<void> {
  const changes = parseChanges(input)
  await getOwnCollection(ctx, viewer.accountId, id)
  await ctx.transaction(async (tx) => {
    const { tag, ...columns } = changes
    await tx.db
      .updateTable('collections')
      .set({
        ...columns,
        ...(tag !== undefined && { tag_id: tag && (await findOrInsertTag(tx, tag)) }),
        updated_at: new Date(tx.clock.now()),
      })
      .where('id', '=', id)
      .execute()
    await tx.emit({ type: 'collection.updated', collectionId: id })
  })
}

/** Deletes one's own collection. Throws `not_found` for those of others. */
export async function deleteCollection(ctx: Ctx, viewer: Viewer, id: CollectionId): Promise<void> {
  await getOwnCollection(ctx, viewer.accountId, id)
  await ctx.transaction(async (tx) => {
    await tx.db.deleteFrom('collections').where('id', '=', id).execute()
    await tx.emit({ type: 'collection.deleted', collectionId: id, accountId: viewer.accountId })
  })
}

/** Throws `invalid` with all that is wrong. */
function parseChanges(input: CollectionInput): Changes {
  const problems: Problem[] = []
  const changes: Changes = {}
  if (input.name !== undefined) changes.name = parseName(input.name, problems)
  if (input.description !== undefined) {
    changes.description = cleanText(input.description).trim()
    if (changes.description.length > descriptionCharacters) {
      problems.push(tooLong('description', descriptionCharacters))
    }
  }
  if (input.language !== undefined) {
    changes.language = parseLanguage(input.language) ?? null
    if (input.language !== '' && changes.language === null) {
      problems.push(wrong('language', 'invalid', 'ERR_INVALID'))
    }
  }
  if (input.tagName !== undefined) changes.tag = parseTag(input.tagName, problems)
  if (input.sensitive !== undefined) changes.sensitive = input.sensitive
  if (input.discoverable !== undefined) changes.discoverable = input.discoverable
  if (problems.length > 0) throw invalidForm(problems)
  return changes
}

function parseName(text: string, problems: Problem[]): string {
  const name = cleanText(text).replaceAll('\n', ' ').trim()
  if (name === '') problems.push(wrong('name', 'blank', 'ERR_BLANK'))
  if (name.length > nameCharacters) problems.push(tooLong('name', nameCharacters))
  return name
}

function parseTag(text: string, problems: Problem[]): Changes['tag'] {
  if (text.trim() === '') return null
  try {
    return parseTagName(text.trim())
  } catch {
    problems.push(wrong('tag', 'invalid', 'ERR_INVALID'))
    return null
  }
}

const wrong = (field: Field, code: 'blank' | 'invalid', error: string): Problem => ({
  ...problem(field, code),
  detail: { field, error, named: true },
})

const tooLong = (field: Field, max: number): Problem => ({
  ...problem(field, 'too_long', { max }),
  detail: { field, error: 'ERR_TOO_LONG', named: true },
})
