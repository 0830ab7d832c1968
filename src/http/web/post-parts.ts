// What hangs on a post: pictures, films, polls, previews of links.
import { html, raw } from 'hono/html'
import { escapeHtml } from '#lib/html.ts'
import { emojify } from './emojify.ts'
import type { ShownCard, ShownEmoji, ShownMedia, ShownPoll } from './post-types.ts'
import { publicTexts } from './public-texts.ts'
import type { Html, Language } from './texts.ts'

/** Plain text with its emoji, such as a display name. Isolated, so that its direction ends with it (CNT-9). */
export function renderName(text: string, emojis: readonly ShownEmoji[]): Html {
  return html`<bdi>${raw(emojify(escapeHtml(text), emojis))}</bdi>`
}

export const numberText = (language: Language, count: number) =>
  new Intl.NumberFormat(language, { notation: count >= 10_000 ? 'compact' : 'standard' }).format(count)

/** A point in time, in UTC: pages are the same for everyone. */
export function renderTime(language: Language, time: string, precise = false): Html {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    ...(precise && { timeStyle: 'short' as const }),
    timeZone: 'UTC',
  })
  const full = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })
  const date = new Date(time)
  return html`<time datetime="${time}" title="${full.format(date)} UTC"
    >${format.format(date)}${precise ? ' UTC' : ''}</time
  >`
}

/** Pictures and films of a post, behind a veil when the author calls them sensitive. */
export function renderMedia(
  language: Language,
  media: readonly ShownMedia[],
  sensitive: boolean,
): Html | string {
  if (media.length === 0) return ''
  const t = publicTexts(language)
  const count = Math.min(media.length, 4)
  const grid = html`<div class="media media-${count}">
    ${media.map((item) => renderAttachment(t.attachment, item))}
  </div>`
  if (!sensitive) return grid
  return html`<details class="veil">
    <summary>${t.sensitive}</summary>
    ${grid}
  </details>`
}

function renderAttachment(unnamed: string, item: ShownMedia): Html | string {
  const label = item.description ?? ''
  const address = item.url ?? item.remote_url
  if (address === null) return ''
  if (item.type === 'image' && item.url !== null) {
    return html`<a href="${item.url}"
      ><img
        src="${item.preview_url ?? item.url}"
        alt="${label}"
        title="${label}"
        loading="lazy"
        ${sizeOf(item)}
    /></a>`
  }
  if ((item.type === 'video' || item.type === 'gifv') && item.url !== null) {
    const poster = item.preview_url === null ? '' : html`poster="${item.preview_url}"`
    const loops = item.type === 'gifv' ? html`loop muted playsinline` : ''
    return html`<video
      src="${item.url}"
      controls
      preload="none"
      aria-label="${label}"
      ${poster}
      ${loops}
    ></video>`
  }
  if (item.type === 'audio' && item.url !== null) {
    return html`<audio src="${item.url}" controls preload="none" aria-label="${label}"></audio>`
  }
  return html`<a class="file" href="${address}" rel="nofollow noopener">${label || unnamed}</a>`
}

function sizeOf(item: ShownMedia): Html | string {
  const { width, height } = item.meta?.small ?? item.meta?.original ?? {}
  return width && height ? html`width="${width}" height="${height}"` : ''
}

/** The answers of a poll with their shares. Voting is for apps. */
export function renderPoll(language: Language, poll: ShownPoll | null): Html | string {
  if (!poll) return ''
  const t = publicTexts(language)
  const people = poll.voters_count
  const base = Math.max(people ?? poll.votes_count, 1)
  const options = poll.options.map((option) => {
    const share = Math.round(((option.votes_count ?? 0) / base) * 100)
    return html`<li>
      <span>${renderName(option.title, poll.emojis)}</span><span class="share">${share} %</span>
      <progress max="100" value="${share}"></progress>
    </li>`
  })
  const told =
    people === null
      ? t.votes(poll.votes_count, numberText(language, poll.votes_count))
      : t.voters(people, numberText(language, people))
  return html`<ul class="poll">
      ${options}
    </ul>
    <p class="soft">${told}${poll.expired ? html` · ${t.pollEnded}` : ''}</p>`
}

/** The preview of a link. */
export function renderCard(card: ShownCard | null): Html | string {
  if (!card || !/^https?:\/\//i.test(card.url)) return ''
  const picture = card.image === null ? '' : html`<img src="${card.image}" alt="" loading="lazy" />`
  const provider = card.provider_name || (URL.parse(card.url)?.hostname ?? '')
  return html`<a class="preview" href="${card.url}" rel="nofollow noopener">
    ${picture}
    <span><small>${provider}</small><strong>${card.title}</strong>${card.description}</span>
  </a>`
}
