// Pictures, films and sounds of a post. Nothing plays or loads before somebody wants it.
import type { MediaAttachment } from '#entities/media-attachment.ts'
import { html, raw } from 'hono/html'
import type { Language } from '#lib/messages/catalogue.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { Html } from '../kit/html.ts'

/** The columns of the grid change with this many attachments for the last time. */
const maxColumns = 4

/** What hangs on a post, behind a veil when the author calls it sensitive. */
export function renderMedia(
  language: Language,
  media: readonly MediaAttachment[],
  sensitive: boolean,
): Html | string {
  if (media.length === 0) return ''
  const t = textsIn(language).pages.public
  const grid = html`<div class="media media-${Math.min(media.length, maxColumns)}">
    ${media.map((item) => renderAttachment(language, item))}
  </div>`
  if (!sensitive) return grid
  return html`<details class="veil">
    <summary>${t.sensitive}</summary>
    ${grid}
  </details>`
}

function renderAttachment(language: Language, item: MediaAttachment): Html {
  if (item.url === null || item.type === 'unknown') return renderFile(language, item)
  const shown = renderPlayable(language, item, item.url)
  return html`<figure class="${item.type}${raw(focusOf(item))}">
    ${shown} ${renderAlt(language, item)}
  </figure>`
}

function renderPlayable(language: Language, item: MediaAttachment, url: string): Html {
  const t = textsIn(language).pages.public
  const label = item.description ?? ''
  const { small, original } = item.meta ?? {}
  if (item.type === 'image') {
    // A link around a picture without words would have no name.
    return html`<a href="${url}" ${label === '' ? html`aria-label="${t.picture}"` : ''}
      ><img
        src="${item.preview_url ?? url}"
        alt="${label}"
        loading="lazy"
        decoding="async"
        ${sizeOf(small ?? original)}
    /></a>`
  }
  if (item.type === 'audio') {
    const cover =
      item.preview_url === null
        ? ''
        : html`<img src="${item.preview_url}" alt="" loading="lazy" ${sizeOf(small)} />`
    return html`${cover}<audio src="${url}" controls preload="none" aria-label="${label || t.sound}"></audio>`
  }
  const poster = item.preview_url === null ? '' : html`poster="${item.preview_url}"`
  const loops = item.type === 'gifv' ? html`loop muted` : ''
  return html`<video
    src="${url}"
    controls
    playsinline
    preload="none"
    aria-label="${label || t.video}"
    ${poster}
    ${loops}
    ${sizeOf(original ?? small)}
  ></video>`
}

/** What this server cannot show, or not yet. */
function renderFile(language: Language, item: MediaAttachment): Html {
  const t = textsIn(language).pages.public
  const label = item.description || t.attachment
  const address = item.url ?? item.remote_url
  if (address === null || !/^https?:/i.test(address)) return html`<p class="file soft">${label}</p>`
  return html`<a class="file" href="${address}" rel="nofollow noopener">${label}</a>`
}

/** The description for those who see the picture: it often says more. */
function renderAlt(language: Language, item: MediaAttachment): Html | string {
  if (!item.description) return ''
  if (item.type === 'audio') return html`<figcaption dir="auto">${item.description}</figcaption>`
  const t = textsIn(language).pages.public
  return html`<details class="alt">
    <summary title="${t.showDescription}">${t.alt}</summary>
    <p dir="auto">${item.description}</p>
  </details>`
}

function sizeOf({ width, height }: { width?: number; height?: number } = {}): Html | string {
  return width && height ? html`width="${width}" height="${height}"` : ''
}

/** Classes for the focal point in steps of a tenth: the content policy allows no style in a page. */
function focusOf({ meta }: MediaAttachment): string {
  if (!meta?.focus) return ''
  const step = (value: number) => Math.round((Math.min(Math.max(value, -1), 1) + 1) * 5)
  const [x, y] = [step(meta.focus.x), step(-meta.focus.y)]
  return x === 5 && y === 5 ? '' : ` at-x${x} at-y${y}`
}
