import type { MediaAttachment, MediaMeta } from '#entities/media-attachment.ts'
import type { Config } from '#ports/ctx.ts'
import type { MediaRow } from '#domain/content/media/load.ts'
import { mediaUrl } from '#domain/server/instance/urls.ts'

/** MediaAttachment (https://docs.joinmastodon.org/entities/MediaAttachment/). */
export function renderMedia(config: Config, row: MediaRow): MediaAttachment {
  const url = originalUrl(config, row)
  return {
    id: row.id,
    type: row.type,
    url,
    preview_url: previewUrl(config, row) ?? (row.type === 'audio' ? null : url),
    remote_url: row.remote_url,
    preview_remote_url: row.remote_preview_url,
    text_url: null,
    meta: renderMeta(row),
    description: row.description === '' ? null : row.description,
    blurhash: row.blurhash,
  }
}

/** Another server's file is passed on by this one, which fetches it when somebody looks. */
function originalUrl(config: Config, row: MediaRow): string | null {
  if (row.original_key !== null) return row.state === 'complete' ? mediaUrl(config, row.original_key) : null
  return row.remote_url === null ? null : `${config.baseUrl}/media_proxy/${row.id}/original`
}

function previewUrl(config: Config, row: MediaRow): string | null {
  if (row.preview_key !== null) return mediaUrl(config, row.preview_key)
  return row.remote_url === null ? null : `${config.baseUrl}/media_proxy/${row.id}/small`
}

function renderMeta(row: MediaRow): MediaMeta {
  const { facts } = row
  const original = renderOriginal(row)
  return {
    ...renderFlat(row),
    ...(row.focus_x !== null && row.focus_y !== null && { focus: { x: row.focus_x, y: row.focus_y } }),
    ...(original && { original }),
    ...(row.preview_width &&
      row.preview_height && { small: renderSize(row.preview_width, row.preview_height) }),
    ...(row.preview_colors && { colors: row.preview_colors }),
    ...(facts.audioEncode !== undefined && { audio_encode: facts.audioEncode }),
    ...(facts.audioBitrate !== undefined && { audio_bitrate: facts.audioBitrate }),
    ...(facts.audioChannels !== undefined && { audio_channels: facts.audioChannels }),
  }
}

function renderOriginal({ type, facts }: MediaRow): MediaMeta['original'] | null {
  const moving = type === 'video' || type === 'gifv' || type === 'audio'
  if (!moving) return facts.width && facts.height ? renderSize(facts.width, facts.height) : null
  return {
    ...(facts.width && facts.height && { width: facts.width, height: facts.height }),
    ...(facts.frameRate !== undefined && { frame_rate: facts.frameRate }),
    ...(facts.duration !== undefined && { duration: facts.duration }),
    ...(facts.bitrate !== undefined && { bitrate: facts.bitrate }),
  }
}

/** What films and sounds say once more at the top, for older clients. */
function renderFlat({ type, facts }: MediaRow): Partial<MediaMeta> {
  if (type === 'image' || type === 'unknown' || facts.duration === undefined) return {}
  return {
    length: formatLength(facts.duration),
    duration: facts.duration,
    ...(facts.frameRate !== undefined && { fps: framesPerSecond(facts.frameRate) }),
    ...(facts.width && facts.height && renderSize(facts.width, facts.height)),
  }
}

function renderSize(width: number, height: number) {
  return { width, height, size: `${width}x${height}`, aspect: width / height }
}

/** Hours, minutes and seconds with hundredths: `0:01:28.65`. */
function formatLength(seconds: number): string {
  const whole = Math.floor(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const rest = (seconds - Math.floor(whole / 60) * 60).toFixed(2).padStart(5, '0')
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${rest}`
}

function framesPerSecond(fraction: string): number {
  const [numerator = '0', denominator = '1'] = fraction.split('/')
  return Math.round(Number(numerator) / (Number(denominator) || 1))
}
