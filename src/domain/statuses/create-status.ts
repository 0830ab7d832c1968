import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import type { Viewer, Visibility } from '#domain/accounts/viewer.ts'
import { AppError, invalid } from '#lib/errors.ts'
import { parseLanguage } from '#lib/language.ts'
import { countCharacters, extractEntities } from '#lib/text.ts'
import { ensureTags } from '#domain/tags/ensure-tags.ts'
import { findMentioned, type MentionedAccount } from './mentioned.ts'
import { renderStatusText } from './render-text.ts'
import { findVisibleStatus, type StatusFacts } from './queries.ts'
import { claimIdempotencyKey } from './idempotency.ts'
import { insertStatus, type NewStatus } from './insert-status.ts'

export interface StatusInput {
  text: string
  spoilerText?: string | undefined
  visibility?: Visibility | undefined
  sensitive?: boolean | undefined
  language?: string | undefined
  inReplyToId?: Id | undefined
  applicationId: Id | null
  idempotencyKey?: string | null | undefined
  /** When given, the only accounts the text may name. */
  allowedMentions?: readonly Id[] | undefined
}

/** The text names accounts that the client did not mean to reach. The route shows them. */
export class UnexpectedAccounts extends AppError {
  readonly accountIds: readonly Id[]
  constructor(accountIds: readonly Id[]) {
    super('invalid', 'Post would be sent to unexpected accounts')
    this.accountIds = accountIds
  }
}

/**
 * Publishes a status. Answers its id; a repeated idempotency key (kept for an hour) answers the first one's.
 * Throws `not_found` for a parent the viewer cannot see, `invalid` for what the limits forbid.
 */
export async function createStatus(ctx: Ctx, viewer: Viewer, input: StatusInput): Promise<Id> {
  const prepared = await prepare(ctx, viewer, input)
  return ctx.transaction(async (tx) => {
    const earlier = await claimIdempotencyKey(tx, viewer.accountId, input.idempotencyKey, prepared.id)
    if (earlier) return earlier
    await publish(tx, prepared)
    return prepared.id
  })
}

interface Prepared extends NewStatus {
  mentioned: readonly MentionedAccount[]
  hashtags: readonly { name: string; display: string }[]
}

async function prepare(ctx: Ctx, viewer: Viewer, input: StatusInput): Promise<Prepared> {
  const { text, spoilerText } = normaliseText(input)
  assertLength(ctx, text, spoilerText)
  const parent = await findParent(ctx, viewer, input.inReplyToId)
  const entities = extractEntities(text)
  const mentioned = await findMentioned(ctx, viewer.accountId, entities.mentions)
  assertAllowed(viewer, mentioned, input.allowedMentions)
  return {
    id: ctx.newId(),
    accountId: viewer.accountId,
    text,
    content: renderStatusText(ctx.config, text, mentioned),
    spoilerText,
    visibility: chooseVisibility(viewer, input.visibility),
    sensitive: spoilerText !== '' || (input.sensitive ?? viewer.settings.default_sensitive ?? false),
    language:
      parseLanguage(input.language) ??
      viewer.settings.default_language ??
      parseLanguage(viewer.locale) ??
      'en',
    parent,
    applicationId: viewer.settings.show_application === false ? null : input.applicationId,
    mentioned,
    hashtags: entities.hashtags,
  }
}

/** A warning without text becomes the text. */
function normaliseText(input: StatusInput): { text: string; spoilerText: string } {
  const text = input.text.replaceAll('\r\n', '\n').trim()
  const spoilerText = (input.spoilerText ?? '').trim()
  if (text !== '') return { text, spoilerText }
  if (spoilerText !== '') return { text: spoilerText, spoilerText: '' }
  throw invalid("Validation failed: Text can't be blank")
}

function assertLength(reader: Reader, text: string, spoilerText: string): void {
  const most = reader.config.limits.statusCharacters
  if (countCharacters(text) + countCharacters(spoilerText) > most) {
    throw invalid(`Validation failed: Text character limit of ${most} exceeded`)
  }
}

async function findParent(ctx: Ctx, viewer: Viewer, id: Id | undefined): Promise<StatusFacts | null> {
  if (id === undefined) return null
  const found = await findVisibleStatus(ctx, viewer.accountId, id)
  const original = found?.reblog_of_id
    ? await findVisibleStatus(ctx, viewer.accountId, found.reblog_of_id)
    : found
  if (!original)
    throw new AppError('not_found', 'The post you are trying to reply to does not appear to exist.')
  return original
}

function assertAllowed(
  viewer: Viewer,
  mentioned: readonly MentionedAccount[],
  allowed?: readonly Id[],
): void {
  if (!allowed) return
  const unexpected = mentioned.filter((one) => one.id !== viewer.accountId && !allowed.includes(one.id))
  if (unexpected.length > 0) throw new UnexpectedAccounts(unexpected.map((one) => one.id))
}

/** A limited account's public posts are unlisted. */
function chooseVisibility(viewer: Viewer, asked: Visibility | undefined): Visibility {
  const chosen = asked ?? viewer.settings.default_privacy ?? (viewer.locked ? 'private' : 'public')
  return chosen === 'public' && viewer.silenced ? 'unlisted' : chosen
}

/** The rows of a status and the event that all consequences follow from. */
async function publish(tx: Tx, prepared: Prepared): Promise<void> {
  await insertStatus(tx, prepared)
  if (prepared.mentioned.length > 0) {
    const rows = prepared.mentioned.map((one) => ({ status_id: prepared.id, account_id: one.id }))
    await tx.db
      .insertInto('mentions')
      .values(rows)
      .onConflict((on) => on.doNothing())
      .execute()
  }
  if (prepared.hashtags.length > 0) await attachTags(tx, prepared)
  await tx.emit({ type: 'status.created', statusId: prepared.id })
}

async function attachTags(tx: Tx, prepared: Prepared): Promise<void> {
  const tagIds = await ensureTags(tx, prepared.hashtags)
  await sql`
    insert into status_tags (tag_id, status_id) select unnest(${tagIds}::bigint[]), ${prepared.id}
    on conflict do nothing`.execute(tx.db)
}
