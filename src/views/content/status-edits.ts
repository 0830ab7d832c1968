import type { StatusEdit, StatusSource } from '#entities/status.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { loadMedia, type MediaRow } from '#domain/content/media/load.ts'
import { getSource, listVersions, type VersionRow } from '#domain/content/statuses/edits/load-edits.ts'
import { formatTime } from '#lib/time/time.ts'
import { hydrateEmojis } from '../hydrate/emojis.ts'
import { renderMedia } from '../render/media.ts'
import { viewStatus } from './statuses.ts'
import type { MediaId, StatusId } from '#lib/id.ts'

/**
 * StatusEdit (https://docs.joinmastodon.org/entities/StatusEdit/) of each version, oldest first, by a constant number
 * of queries. Throws `not_found` when the viewer cannot see the status.
 */
export async function viewHistory(ctx: Ctx, viewer: Viewer | null, id: StatusId): Promise<StatusEdit[]> {
  const { statusId, versions } = await listVersions(ctx, viewer?.accountId ?? null, id)
  const { account, quote } = await viewStatus(ctx, viewer, statusId)
  const media = await loadMedia(
    ctx,
    versions.flatMap((version) => version.media.map((one) => one.id)),
  )
  const emojisOf = await hydrateEmojis(ctx, versions.map(emojiSource))
  return versions.map((version) => ({
    content: version.content,
    spoiler_text: version.spoiler_text,
    sensitive: version.sensitive,
    created_at: formatTime(version.created_at),
    account,
    media_attachments: mediaOf(version, media).map((row) => renderMedia(ctx.config, row)),
    emojis: emojisOf(emojiSource(version)),
    quote,
    ...(version.poll_options && { poll: { options: version.poll_options.map((title) => ({ title })) } }),
  }))
}

function emojiSource(version: VersionRow) {
  const options = version.poll_options ?? []
  return {
    text: [version.spoiler_text, version.text || version.content, ...options].join('\n'),
    domain: version.author_domain,
  }
}

/** Files as they are, with the words that described them then. */
function mediaOf(version: VersionRow, media: ReadonlyMap<MediaId, MediaRow>): MediaRow[] {
  return version.media.flatMap(({ id, description }) => {
    const row = media.get(id)
    return row ? [{ ...row, description }] : []
  })
}

/** StatusSource (https://docs.joinmastodon.org/entities/StatusSource/), and how the text is marked up. */
export async function viewSource(ctx: Ctx, viewer: Viewer | null, id: StatusId): Promise<StatusSource> {
  return { ...(await getSource(ctx, viewer?.accountId ?? null, id)) }
}
