import { html, raw } from 'hono/html'
import { stripHtml } from '#lib/html.ts'
import { emojify } from './emojify.ts'
import { icon } from './icons.ts'
import { numberText, renderCard, renderMedia, renderName, renderPoll, renderTime } from './post-parts.ts'
import type { ShownAccount, ShownPost } from './post-types.ts'
import { publicTexts } from './public-texts.ts'
import type { Html, Language } from './texts.ts'

export interface PostOptions {
  /** The post that the page is about: larger, with the exact time. */
  main?: boolean
  pinned?: boolean
}

/** A post as everyone may read it, or a boost with the post in it. */
export function renderPost(language: Language, post: ShownPost, options: PostOptions = {}): Html {
  if (!post.reblog) return renderOwn(language, post, options)
  const t = publicTexts(language)
  const note = html`<p class="note">
    ${icon('boost')}<a href="${post.account.url}">${renderName(nameOf(post.account), post.account.emojis)}</a>
    ${t.boosted}
  </p>`
  return renderOwn(language, post.reblog, options, note)
}

/** Posts one below the other. */
export function renderPosts(language: Language, posts: readonly ShownPost[]): Html {
  if (posts.length === 0) return html`<p class="empty">${publicTexts(language).nothing}</p>`
  return html`<div class="posts">${posts.map((post) => renderPost(language, post))}</div>`
}

function renderOwn(
  language: Language,
  post: ShownPost,
  options: PostOptions,
  note: Html | string = '',
): Html {
  const t = publicTexts(language)
  const pinned = options.pinned ? html`<p class="note">${icon('pin')}${t.pinned}</p>` : ''
  const mark = options.main ? raw(' main') : ''
  const time = html`<a class="when" href="${post.url ?? post.uri}"
    >${renderTime(language, post.created_at, options.main)}${post.edited_at ? html` · ${t.edited}` : ''}</a
  >`
  return html`<article class="post${mark}" id="post-${post.id}">
    ${note} ${pinned}
    <header>${renderAuthor(post.account)} ${options.main ? '' : time}</header>
    ${renderBody(language, post)} ${options.main ? html`<p class="exact">${time}</p>` : ''}
    ${renderFoot(language, post)}
  </article>`
}

function renderAuthor(account: ShownAccount): Html {
  return html`<a class="who" href="${account.url}">
    <img src="${account.avatar_static}" alt="" width="48" height="48" loading="lazy" />
    <span
      ><strong>${renderName(nameOf(account), account.emojis)}</strong><small>@${account.acct}</small></span
    >
  </a>`
}

export const nameOf = (account: ShownAccount) => account.display_name || account.username

function renderBody(language: Language, post: ShownPost): Html {
  const quoted = post.quote?.quoted_status
  const body = html`<div class="content" dir="auto" ${post.language ? html`lang="${post.language}"` : ''}>
      ${raw(emojify(post.content, post.emojis))}
    </div>
    ${renderMedia(language, post.media_attachments, post.sensitive && post.spoiler_text === '')}
    ${renderPoll(language, post.poll)} ${post.media_attachments.length === 0 ? renderCard(post.card) : ''}
    ${quoted ? html`<blockquote class="quoted">${renderOwn(language, { ...quoted, quote: null }, {})}</blockquote>` : ''}`
  if (post.spoiler_text === '') return body
  return html`<details class="veil">
    <summary>${renderName(post.spoiler_text, post.emojis)}</summary>
    ${body}
  </details>`
}

/** Numbers that are not nought, and for whom the post is when that is not everyone. */
function renderFoot(language: Language, post: ShownPost): Html | string {
  const t = publicTexts(language)
  const counts = [
    { name: 'reply', label: t.replies, count: post.replies_count },
    { name: 'boost', label: t.boosts, count: post.reblogs_count },
    { name: 'star', label: t.favourites, count: post.favourites_count },
  ] as const
  const items = counts
    .filter(({ count }) => count > 0)
    .map(
      ({ name, label, count }) =>
        html`<span title="${label}"
          >${icon(name)}<span class="spoken">${label}</span> ${numberText(language, count)}</span
        >`,
    )
  if (post.visibility === 'private' || post.visibility === 'direct') {
    items.push(html`<span>${icon('lock')} ${t[post.visibility]}</span>`)
  }
  return items.length === 0 ? '' : html`<footer>${items}</footer>`
}

/** A post in a few words, for previews: its warning when it has one, never what stands behind it. */
export function summaryOf(post: ShownPost, length = 300): string {
  const text = post.spoiler_text || stripHtml(post.content).replaceAll(/\s+/g, ' ')
  return shorten(text, length)
}

export function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text
    .slice(0, length)
    .toWellFormed()
    .replace(/\uFFFD?$/, '')
    .trimEnd()}…`
}
