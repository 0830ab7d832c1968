import type { Draft } from '#entities/personal/draft.ts'
import type { Ctx } from '#ports/ctx.ts'
import { loadMedia, type MediaRow } from '#domain/content/media/load.ts'
import { getDraft, mediaOf, type DraftPost, type DraftRow } from '#domain/content/statuses/drafts/queries.ts'
import { pick } from '#lib/collections.ts'
import { formatTime } from '#lib/time/time.ts'
import { renderAskedPoll } from '../render/asked-poll.ts'
import { renderMedia } from '../render/media.ts'
import type { AccountId, DraftId } from '#lib/id.ts'

/** Drafts in their order, by one query. */
export async function viewDrafts(ctx: Ctx, rows: readonly DraftRow[]): Promise<Draft[]> {
  const media = await loadMedia(
    ctx,
    rows.flatMap((row) => mediaOf(row.content)),
  )
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    in_reply_to_id: row.content.inReplyToId ?? null,
    posts: row.content.posts.map((post) => {
      const held = pick(post.mediaIds ?? [], media).filter((one) => one.draft_id === row.id)
      return renderPost(ctx, post, held)
    }),
    created_at: formatTime(row.created_at),
    updated_at: formatTime(row.updated_at),
  }))
}

/** One of the account's own. Throws `not_found`. */
export async function viewDraft(ctx: Ctx, accountId: AccountId, id: DraftId): Promise<Draft> {
  const [view] = await viewDrafts(ctx, [await getDraft(ctx, accountId, id)])
  return view as Draft
}

function renderPost(
  ctx: Pick<Ctx, 'config'>,
  post: DraftPost,
  media: readonly MediaRow[],
): Draft['posts'][number] {
  return {
    status: post.text,
    spoiler_text: post.spoilerText ?? '',
    visibility: post.visibility ?? null,
    sensitive: post.sensitive ?? null,
    language: post.language ?? null,
    media_ids: media.map((one) => one.id),
    media_attachments: media.map((one) => renderMedia(ctx.config, one)),
    poll: renderAskedPoll(post.poll),
    quoted_status_id: post.quotedStatusId ?? null,
    quote_approval_policy: post.quotePolicy ?? null,
    reply_approval_policy: post.replyPolicy ?? null,
    content_type: post.contentType ?? null,
    local_only: post.localOnly ?? null,
  }
}
