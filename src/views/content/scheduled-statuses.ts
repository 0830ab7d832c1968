import type { ScheduledStatus } from '#entities/personal/scheduled-status.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { loadMedia, type MediaRow } from '#domain/content/media/load.ts'
import { getScheduled, type ScheduledRow } from '#domain/content/statuses/publish/scheduled.ts'
import { pick } from '#lib/collections.ts'
import { formatTime } from '#lib/time/time.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import { describeKept } from '#lib/messages/keep-reason.ts'
import { languageOf } from '#lib/messages/pick-language.ts'
import { renderAskedPoll } from '../render/asked-poll.ts'
import { renderMedia } from '../render/media.ts'
import type { ScheduledStatusId } from '#lib/id.ts'

/** Scheduled statuses in their order, by one query. */
export async function viewScheduledStatuses(
  ctx: Ctx,
  viewer: Viewer,
  rows: readonly ScheduledRow[],
): Promise<ScheduledStatus[]> {
  const media = await loadMedia(
    ctx,
    rows.flatMap((row) => row.params.mediaIds ?? []),
  )
  const language = languageOf(viewer.locale)
  return rows.map((row) => {
    const kept = pick(row.params.mediaIds ?? [], media).filter((one) => one.scheduled_status_id === row.id)
    return renderScheduledStatus(ctx, row, { media: kept, language })
  })
}

/** One of the viewer's own. Throws `not_found`. */
export async function viewScheduledStatus(
  ctx: Ctx,
  viewer: Viewer,
  id: ScheduledStatusId,
): Promise<ScheduledStatus> {
  const row = await getScheduled(ctx, viewer.accountId, id)
  const [view] = await viewScheduledStatuses(ctx, viewer, [row])
  return view as ScheduledStatus
}

/**
 * ScheduledStatus (https://docs.joinmastodon.org/entities/ScheduledStatus/). One that could not be published says so:
 * `failed_at` and `error` are this server's own.
 */
function renderScheduledStatus(
  ctx: Pick<Ctx, 'config'>,
  row: ScheduledRow,
  { media, language }: { media: readonly MediaRow[]; language: Language },
): ScheduledStatus {
  const error = row.error === null ? null : describeKept(row.error, language)
  return {
    id: row.id,
    scheduled_at: formatTime(row.scheduled_at),
    params: renderParams(row),
    media_attachments: media.map((one) => renderMedia(ctx.config, one)),
    ...(row.failed_at && { failed_at: formatTime(row.failed_at), error }),
  }
}

/** Nothing of what is said here is asked for again when the status is published, so the last three are constant. */
function renderParams({ params, application_id: applicationId }: ScheduledRow): ScheduledStatus['params'] {
  return {
    text: params.text,
    poll: renderAskedPoll(params.poll),
    media_ids: params.mediaIds?.length ? params.mediaIds : null,
    sensitive: params.sensitive ?? null,
    spoiler_text: params.spoilerText ?? null,
    visibility: params.visibility,
    in_reply_to_id: params.inReplyToId ?? null,
    language: params.language ?? null,
    application_id: applicationId,
    quoted_status_id: params.quotedStatusId ?? null,
    quote_approval_policy: params.quotePolicy,
    ...(params.replyPolicy &&
      params.replyPolicy !== 'public' && { reply_approval_policy: params.replyPolicy }),
    allowed_mentions: params.allowedMentions ?? null,
    ...(params.contentType !== undefined && { content_type: params.contentType }),
    ...(params.localOnly !== undefined && { local_only: params.localOnly }),
    scheduled_at: null,
    idempotency: null,
    with_rate_limit: false,
  }
}
