// The rules against spam for what other servers send: their statuses, and edits of them.
import type { StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import { insertTombstone, isTombstone } from '#domain/federation/queue/tombstones.ts'
import type { SpamDecision } from '#domain/content/spam/evaluate.ts'
import { holdRemotePost } from '#domain/content/spam/held-posts.ts'
import { recordHits } from '#domain/content/spam/hits.ts'
import { checkSpam } from '#domain/content/spam/spam-decision.ts'
import { toRuleVisibility, type PostFacts } from '#domain/content/spam/read-post.ts'
import type { RemoteEdit } from '#domain/content/statuses/edits/save-remote-edit.ts'
import type { StoredRemoteStatus } from '#domain/content/statuses/remote/remote-references.ts'
import type { RemoteStatus } from '#domain/content/statuses/remote/remote-status.ts'
import { stripHtml } from '#lib/html/html.ts'
import type { Ctx } from '#ports/ctx.ts'
import { hostOf, type JsonObject } from '#federation/kit/json.ts'
import { ensureCounted } from '../actors/count-collections.ts'
import type { NoteContent } from './read-note.ts'
import type { AccountId } from '#lib/id.ts'

/** How long a status that was refused is not looked at again, in milliseconds. */
const refusedFor = 30 * 86_400_000

/** Whether it is not to be stored, or saved, now. */
export const isRejected = ({ action }: SpamDecision): boolean => action === 'hold' || action === 'reject'

/** What the rules make of a status that has come; null: nothing. */
export function checkRemoteStatus(
  ctx: Ctx,
  { note, status }: { note: NoteContent; status: RemoteStatus },
): Promise<SpamDecision | null> {
  const collect = () => ({
    ...factsOf(ctx, note, status.author.id, status.mentioned),
    reply: status.reply,
    parentId: status.parent?.id ?? null,
    visibility: toRuleVisibility(status.visibility),
    statusId: null,
  })
  return checkSpam(ctx, collect, () => ensureCounted(ctx, status.author.id))
}

/** The same of an edit. */
export function checkRemoteEdit(
  ctx: Ctx,
  { note, edit, stored }: { note: NoteContent; edit: RemoteEdit; stored: StoredRemoteStatus },
): Promise<SpamDecision | null> {
  const collect = () => ({
    ...factsOf(ctx, note, stored.account_id, edit.mentioned),
    reply: stored.reply,
    parentId: stored.in_reply_to_id,
    visibility: toRuleVisibility(stored.visibility),
    statusId: stored.id,
  })
  return checkSpam(ctx, collect, () => ensureCounted(ctx, stored.account_id))
}

function factsOf(
  ctx: Ctx,
  note: NoteContent,
  accountId: AccountId,
  mentioned: readonly AccountId[],
): Omit<PostFacts, 'reply' | 'parentId' | 'visibility' | 'statusId'> {
  return {
    local: false,
    accountId,
    content: note.content,
    texts: textsOf(note),
    mentionedIds: mentioned.filter((id) => id !== accountId),
    mentions: note.mentions.filter((uri) => !note.authors.includes(uri)).length,
    quotedHost: note.quote && hostOf(note.quote.uri),
    mediaIds: [],
    blurhashes: note.media.flatMap(({ blurhash }) => blurhash ?? []),
    at: ctx.clock.now(),
  }
}

const textsOf = ({ spoilerText, poll, media }: NoteContent) => [
  spoilerText,
  ...(poll?.options ?? []),
  ...media.map(({ description }) => description),
]

export interface RejectedStatus {
  document: JsonObject
  note: NoteContent
  author: StoredActor
  audience: { to?: unknown; cc?: unknown }
  recipientId: AccountId | null
}

/** Keeps a status for staff, as it came, or refuses it for some weeks, so that it is not asked for again and again. */
export async function rejectStatus(ctx: Ctx, decision: SpamDecision, kept: RejectedStatus): Promise<void> {
  const { note, author, document, audience, recipientId } = kept
  if (await isTombstone(ctx, note.uri)) return
  if (decision.action === 'hold') {
    const texts = [note.spoilerText, stripHtml(note.content), ...textsOf(note).slice(1)]
    const isHeld = await holdRemotePost(ctx, decision, {
      accountId: author.id,
      uri: note.uri,
      content: texts.filter((text) => text !== '').join('\n\n'),
      object: { document, audience, recipientIds: recipientId === null ? [] : [recipientId] },
    })
    if (isHeld) return
  }
  await ctx.transaction(async (tx) => {
    await recordHits(tx, decision, { accountId: author.id, uri: note.uri })
    await insertTombstone(tx, note.uri, refusedFor)
  })
}
