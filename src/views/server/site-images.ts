import type { SiteUpload as SiteUploadJson } from '#entities/admin/server.ts'
import type { InstanceIcon, InstanceThumbnail } from '#entities/instance/instance.ts'
import type { Config } from '#ports/ctx.ts'
import { markOf, type SiteUpload, type SiteUploads } from '#domain/server/instance/site-uploads.ts'
import { mediaUrl } from '#domain/server/instance/urls.ts'

const iconSizes = [48, 180, 192, 512]
/** Of the default picture, made with it. */
const thumbnailBlurhash = 'LmKLU5xutloe_4s:jZfRWUWBRPj['

/** The picture that stands for the server: the operator's, or the one that the software brings. */
export function renderThumbnail(config: Config, uploads: SiteUploads): InstanceThumbnail {
  const own = uploads.get('thumbnail')
  const url = (size: string, name: string) => {
    const key = own?.versions[size]
    return key === undefined ? `${config.baseUrl}/instance/${name}.png` : mediaUrl(config, key)
  }
  return {
    url: url('@1x', 'thumbnail'),
    blurhash: own ? own.blurhash : thumbnailBlurhash,
    description: '',
    versions: { '@1x': url('@1x', 'thumbnail'), '@2x': url('@2x', 'thumbnail-2x') },
  }
}

/** The icon in its sizes. */
export function renderIcons(config: Config, uploads: SiteUploads): InstanceIcon[] {
  const own = uploads.get('app_icon')
  return iconSizes.map((size) => {
    const key = own?.versions[String(size)]
    const src = key === undefined ? `${config.baseUrl}/instance/icon-${size}.png` : mediaUrl(config, key)
    return { src, size: `${size}x${size}` }
  })
}

/** What staff see of a picture they chose. */
export function renderSiteUpload(config: Config, upload: SiteUpload): SiteUploadJson {
  const versions = Object.entries(upload.versions).map(([name, key]) => [name, mediaUrl(config, key)])
  return {
    name: upload.name,
    url: mediaUrl(config, upload.file_key),
    width: upload.width,
    height: upload.height,
    bytes: Number(upload.bytes),
    blurhash: upload.blurhash,
    versions: Object.fromEntries(versions) as Record<string, string>,
    updated_at: upload.updated_at.toISOString(),
  }
}

/** The path on this server of one of its pictures: it changes with the picture, so that none is kept too long. */
export function picturePath(
  uploads: SiteUploads,
  name: 'thumbnail' | 'thumbnail-2x' | 'icon-48' | 'icon-180' | 'favicon',
): string {
  const chosen =
    name === 'favicon'
      ? (uploads.get('favicon') ?? uploads.get('app_icon'))
      : uploads.get(name.startsWith('icon') ? 'app_icon' : 'thumbnail')
  return `/instance/${name}.png${chosen ? `?v=${markOf(chosen)}` : ''}`
}

/** Links into the fediverse that systems open with an app of one's choice: https under another name. */
export const fediverseSchemes = ['web+ap', 'web+activitypub'] as const

/** What the manifest says besides the server's name and icons. */
export interface ManifestWords {
  language: string
  color: string
  /** Names of what an icon on a phone offers at once, by address. */
  shortcuts: Readonly<Record<string, string>>
}

/** The web app manifest (https://www.w3.org/TR/appmanifest/). */
export function renderManifest(
  config: Config,
  { title, uploads, words }: { title: string; uploads: SiteUploads; words: ManifestWords },
): object {
  return {
    id: '/',
    name: title,
    short_name: title,
    lang: words.language,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: words.color,
    background_color: words.color,
    categories: ['social'],
    icons: renderIcons(config, uploads).map(({ src, size }) => ({ src, sizes: size, purpose: 'any' })),
    shortcuts: Object.entries(words.shortcuts).map(([url, name]) => ({ name, url })),
    // The service worker takes it: client/src/worker/share.ts.
    share_target: {
      action: '/share',
      method: 'POST',
      enctype: 'multipart/form-data',
      params: {
        title: 'title',
        text: 'text',
        url: 'url',
        files: [{ name: 'files', accept: ['image/*', 'video/*', 'audio/*'] }],
      },
    },
    protocol_handlers: fediverseSchemes.map((protocol) => ({
      protocol,
      url: '/authorize_interaction?uri=%s',
    })),
    launch_handler: { client_mode: ['navigate-existing', 'auto'] },
  }
}
