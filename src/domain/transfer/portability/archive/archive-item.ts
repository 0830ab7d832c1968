// What becomes of one activity of an archive.
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer, Visibility } from '#domain/identity/accounts/viewer.ts'
import { actorUri, statusUrl } from '#domain/server/instance/urls.ts'
import { storeFiles } from '#domain/content/media/files.ts'
import { filesOf } from '#domain/content/media/processed.ts'
import { automaticGroups, chooseQuotePolicy } from '#domain/content/statuses/quote-policy.ts'
import { chooseReplyPolicy, replyGroups } from '#domain/content/statuses/reply-policy.ts'
import { extractNames, renderStatusText } from '#domain/content/statuses/publish/render-text.ts'
import { conflict, isAppError, sentence } from '#lib/errors.ts'
import { toStoredJson } from '#lib/json/stored-json.ts'
import { isHashtag, normaliseHashtag } from '#lib/text/hashtag.ts'
import { cleanText } from '#lib/text/text.ts'
import { keepReason } from '#lib/messages/keep-reason.ts'
import type { Reason } from '#lib/messages/describe-error.ts'
import type { Archive } from './archive-entries.ts'
import { takeMedia, type TakenMedia } from './archive-media.ts'
import type { ArchivedBoost, ArchivedItem, ArchivedPost, Broken } from './archive-post.ts'
import { readText, type TextSettings, type WrittenText } from './archive-text.ts'
import {
  findOwnStatus,
  isPresent,
  writeBoost,
  writePost,
  type ImportedPost,
  type OwnStatus,
} from './archive-write.ts'
import type { BulkImportId, BulkImportRowId, StatusId } from '#lib/id.ts'

/** What all posts of one archive are imported with. */
export interface Importer {
  ctx: Ctx
  importId: BulkImportId
  viewer: Viewer
  archive: Archive
  /** For files being worked on. */
  folder: string
  /** Whose archive it is. */
  actor: string | null
  texts: TextSettings
}

export interface PlannedItem {
  rowId: BulkImportRowId
  /** The id that the status shall have. */
  wantedId: StatusId
  item: ArchivedItem
}

/** Why something is left out on purpose. */
type SkipReason = 'boost' | 'quote' | 'direct' | 'other' | 'present'

/** `error` next to `imported`: a part of it is missing. */
type Outcome = { imported: boolean; error: Reason | null; uri: string | null } | { skipped: SkipReason }

/** Characters of a text. Other servers allow more than this one; nobody allows this. */
const maxCharacters = 65_536
const maxTries = 3

/**
 * Imports an activity, and counts it in the same transaction, so that it is done once whatever happens. Rejects when
 * something else than the archive is to blame.
 */
export async function importItem(importer: Importer, planned: PlannedItem): Promise<void> {
  try {
    await decide(importer, planned)
  } catch (error) {
    if (!isOwnFault(error)) throw error
    const { uri } = { uri: null, ...planned.item }
    const outcome = failed({ uri, reason: sentence('item_not_written') })
    await settleOnly(importer, planned, outcome).catch((again: unknown) => {
      // Somebody else does the same import, and was faster with this one.
      if (!isAppError(again, 'conflict')) throw again
    })
  }
}

/** Two of the same, or what the database cannot hold (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
function isOwnFault(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return isAppError(error, 'conflict') || (typeof code === 'string' && /^2[23]\w{3}$/.test(code))
}

async function decide(importer: Importer, planned: PlannedItem): Promise<void> {
  const { item } = planned
  if (item.kind === 'other') return settleOnly(importer, planned, { skipped: 'other' })
  if (item.kind === 'broken') return settleOnly(importer, planned, failed(item))
  if (item.actor !== importer.actor) {
    return settleOnly(importer, planned, failed({ uri: item.uri, reason: sentence('item_of_other_author') }))
  }
  if (await isPresent(importer.ctx, importer.viewer.accountId, item.uri)) {
    return settleOnly(importer, planned, { skipped: 'present' })
  }
  return item.kind === 'boost' ? importBoost(importer, planned, item) : importPost(importer, planned, item)
}

const failed = ({ uri, reason }: Pick<Broken, 'uri' | 'reason'>): Outcome => ({
  imported: false,
  error: reason,
  uri,
})

const settleOnly = ({ ctx, importId }: Importer, { rowId }: PlannedItem, outcome: Outcome) =>
  ctx.transaction((tx) => settle(tx, { importId, rowId }, outcome))

/** Counts an activity. Throws `conflict` when that was done before. */
async function settle(
  tx: Tx,
  { importId, rowId }: { importId: BulkImportId; rowId: BulkImportRowId },
  outcome: Outcome,
): Promise<void> {
  const [reason, uri, imported] =
    'skipped' in outcome ? [null, null, false] : [outcome.error, outcome.uri, outcome.imported]
  const error = reason && keepReason(reason)
  const skipped = 'skipped' in outcome ? outcome.skipped : null
  const { rows } = await sql`
    with gone as (delete from bulk_import_rows where id = ${rowId} and ${error === null} returning id),
    kept as (
      update bulk_import_rows set error = ${error}, data = ${toStoredJson({ uri })}::jsonb
      where id = ${rowId} and ${error !== null} and error is null returning id)
    update bulk_imports set processed_items = processed_items + 1,
      imported_items = imported_items + ${imported ? 1 : 0},
      skipped = case when ${skipped}::text is null then skipped
        else skipped || jsonb_build_object(${skipped}::text, coalesce((skipped ->> ${skipped}::text)::int, 0) + 1) end
    where id = ${importId} and exists (select 1 from gone union all select 1 from kept)
    returning id`.execute(tx.db)
  if (rows.length === 0) throw conflict()
}

/** Only what one boosted of oneself is here. */
async function importBoost(importer: Importer, planned: PlannedItem, boost: ArchivedBoost): Promise<void> {
  const { ctx, importId, viewer } = importer
  const of = await findOwnStatus(ctx, viewer.accountId, boost.of)
  if (!of || of.visibility === 'direct') return settleOnly(importer, planned, { skipped: 'boost' })
  const visibility = narrowest(viewer, [boost.visibility, of.visibility === 'private' ? 'private' : 'public'])
  const createdAt = new Date(Math.min(boost.published, ctx.clock.now()))
  const { wantedId, rowId } = planned
  await ctx.transaction(async (tx) => {
    const made = { wantedId, uri: boost.uri, accountId: viewer.accountId, of, createdAt }
    // Who boosts for nobody boosts for their followers.
    const written = await writeBoost(tx, {
      ...made,
      visibility: visibility === 'direct' ? 'private' : visibility,
    })
    const outcome: Outcome = written ? { imported: true, error: null, uri: null } : { skipped: 'present' }
    await settle(tx, { importId, rowId }, outcome)
  })
}

const wideFirst: readonly Visibility[] = ['public', 'unlisted', 'private', 'direct']

/** Never wider than any of them, nor than what a limited account may write. */
function narrowest(viewer: Viewer, all: readonly Visibility[]): Visibility {
  const found = wideFirst[Math.max(...all.map((one) => wideFirst.indexOf(one)))] ?? 'direct'
  return found === 'public' && viewer.silenced ? 'unlisted' : found
}

async function importPost(importer: Importer, planned: PlannedItem, post: ArchivedPost): Promise<void> {
  const { ctx, viewer } = importer
  if (post.visibility === 'direct' && (await namesStrangers(ctx, post.recipients))) {
    return settleOnly(importer, planned, { skipped: 'direct' })
  }
  const quoted = post.quotes === null ? null : await findOwnStatus(ctx, viewer.accountId, post.quotes)
  if (post.quotes !== null && !quoted) return settleOnly(importer, planned, { skipped: 'quote' })
  const written = readText(post, importer.texts)
  const spoilerText = cleanText(post.spoilerText).trim()
  const fail = (reason: Reason) => settleOnly(importer, planned, failed({ uri: post.uri, reason }))
  if (written.text.length + spoilerText.length > maxCharacters) return fail(sentence('item_too_long'))
  if (post.attachments.length > 0 && !(await claimTry(ctx, planned.rowId))) {
    return fail(sentence('item_files_unreadable'))
  }
  const parent = post.inReplyTo === null ? null : await findOwnStatus(ctx, viewer.accountId, post.inReplyTo)
  await takeMedia(importer, post.attachments, planned.rowId, async (taken) => {
    if (written.text === '' && taken.media.length === 0 && !post.poll) {
      return fail(taken.problems[0] ?? sentence('item_empty'))
    }
    await store(importer, planned, { post, written, spoilerText, parent, quoted, taken })
  })
}

interface Prepared {
  post: ArchivedPost
  written: WrittenText
  spoilerText: string
  parent: OwnStatus | null
  quoted: OwnStatus | null
  taken: TakenMedia
}

async function store(importer: Importer, planned: PlannedItem, prepared: Prepared): Promise<void> {
  const { ctx, importId } = importer
  const { post, taken } = prepared
  const status = toStatus(importer, planned.wantedId, prepared)
  const error = taken.problems.length > 0 ? { reasons: taken.problems } : null
  const commit = async (tx: Tx) => {
    await settle(tx, { importId, rowId: planned.rowId }, { imported: true, error, uri: post.uri })
    await writePost(tx, status)
  }
  const files = taken.media.flatMap((media) => filesOf(media.named))
  await (files.length > 0 ? storeFiles(ctx, files, commit) : ctx.transaction(commit))
}

function toStatus(importer: Importer, wantedId: StatusId, prepared: Prepared): ImportedPost {
  const { ctx, viewer } = importer
  const { post, written, parent, quoted, taken } = prepared
  const now = ctx.clock.now()
  // What was for the people of one server is not for those of another.
  const visibility = narrowest(viewer, [post.visibility, ...(post.localOnly ? (['private'] as const) : [])])
  const quoteUrl = quoted ? statusUrl(ctx.config, viewer.username, quoted.id) : null
  return {
    wantedId,
    uri: post.uri,
    accountId: viewer.accountId,
    ...written,
    // Mentions stay words: whoever is named was told of it long ago.
    content: renderStatusText(ctx.config, { ...written, mentioned: [], quoteUrl }),
    spoilerText: prepared.spoilerText,
    visibility,
    sensitive: post.sensitive || prepared.spoilerText !== '',
    language: post.language,
    localOnly: post.localOnly,
    reply: post.inReplyTo !== null,
    parent,
    quoted,
    quoteUrl: quoteUrl ?? '',
    quoteAutomatic: automaticGroups(chooseQuotePolicy(viewer, visibility, post.quotePolicy ?? undefined)),
    replyAutomatic: replyGroups(chooseReplyPolicy(viewer, visibility, post.replyPolicy ?? undefined)),
    hashtags: hashtagsOf(post, written),
    media: taken.media,
    poll: post.poll,
    createdAt: new Date(Math.min(post.published, now)),
    editedAt:
      post.updated !== null && post.updated > post.published ? new Date(Math.min(post.updated, now)) : null,
  }
}

/** Those of the text, and those that were told beside it. */
function hashtagsOf(post: ArchivedPost, written: WrittenText): { name: string; display: string }[] {
  const told = post.hashtags
    .filter(isHashtag)
    .map((display) => ({ name: normaliseHashtag(display), display }))
  const all = [...told, ...extractNames(written.text, written.contentType).hashtags]
  return [...new Map(all.map(({ name, display }) => [name, { name, display }])).values()].filter(
    ({ name }) => name !== '' && name.length <= 200,
  )
}

async function namesStrangers(ctx: Ctx, recipients: readonly string[]): Promise<boolean> {
  if (recipients.length === 0) return false
  const { rows } = await sql<{ known: number }>`
    select count(distinct uri)::int as known from (
      select uri from accounts where uri = any(${recipients}::text[])
      union all
      select ${actorUri(ctx.config, '')} || username from accounts
      where domain is null and ${actorUri(ctx.config, '')} || username = any(${recipients}::text[])
        and lower(username) = any(${localNames(ctx, recipients)}::text[])) known`.execute(ctx.db)
  return (rows[0]?.known ?? 0) < recipients.length
}

function localNames(ctx: Ctx, recipients: readonly string[]): string[] {
  const start = actorUri(ctx.config, '')
  return recipients.flatMap((uri) => (uri.startsWith(start) ? uri.slice(start.length).toLowerCase() : []))
}

/** Counts the attempt before it is made: a process that a file ends cannot count. */
async function claimTry(ctx: Ctx, rowId: BulkImportRowId): Promise<boolean> {
  const { rows } = await sql<{ attempts: number }>`
    update bulk_import_rows set attempts = attempts + 1 where id = ${rowId} returning attempts`.execute(
    ctx.db,
  )
  return (rows[0]?.attempts ?? 0) <= maxTries
}
