import type { Account } from '#entities/account.ts'
import type { Reaction } from '#entities/emoji.ts'
import type { Status } from '#entities/status.ts'
import { html, raw } from 'hono/html'
import { stripHtml } from '#lib/html/html.ts'
import { withoutShortcodes } from '#lib/text/shortcodes.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderRichText } from '../kit/emojify.ts'
import { icon } from '../kit/icons.ts'
import { renderInteractForm } from './interact-form.ts'
import { renderCard } from './post-card.ts'
import { renderMedia } from './post-media.ts'
import { numberText, renderName, renderTime, timeText } from './post-parts.ts'
import { renderPoll } from './post-poll.ts'
import { renderQuote, withoutFallback } from './post-quote.ts'
import type { Html } from '../kit/html.ts'

export interface PostOptions {
  /** The post that the page is about: larger, with the exact time. */
  main?: boolean
  pinned?: boolean
  /** It stands in another post. */
  quoted?: boolean
  /** Its id, where strangers are offered to answer it from their own server. */
  answerable?: string
}

/** A post as everyone may read it, or a boost with the post in it. */
export function renderPost(language: Language, post: Status, options: PostOptions = {}): Html {
  if (!post.reblog) return renderOwn(language, post, options)
  const t = textsIn(language).pages.public
  const note = html`<p class="note">
    ${icon('boost')}<a href="${post.account.url}">${renderName(nameOf(post.account), post.account.emojis)}</a>
    ${t.boosted}
  </p>`
  return renderOwn(language, post.reblog, options, note)
}

/** Posts one below the other. */
export function renderPosts(language: Language, posts: readonly Status[]): Html {
  if (posts.length === 0) return html`<p class="empty">${textsIn(language).pages.public.nothing}</p>`
  return html`<div class="posts">${posts.map((post) => renderPost(language, post))}</div>`
}

function renderOwn(language: Language, post: Status, options: PostOptions, note: Html | string = ''): Html {
  const t = textsIn(language).pages.public
  const pinned = options.pinned ? html`<p class="note">${icon('pin')}${t.pinned}</p>` : ''
  const mark = options.main ? raw(' main') : ''
  const time = html`<a class="when" href="${post.url ?? post.uri}"
    >${renderTime(language, post.created_at, options.main ? 'exact' : 'time')}${renderEdited(language, post, options)}</a
  >`
  // What is quoted may stand on the page a second time.
  const id = options.quoted ? '' : html`id="post-${post.id}"`
  // As the app names it.
  const name = `${titleOf(post.account)}, ${timeText(language, post.created_at, 'time')}`
  return html`<article class="post${mark}" ${id} aria-label="${name}">
    ${note} ${pinned}
    <header>${renderAuthor(post.account)} ${options.main ? '' : time}</header>
    ${renderBody(language, post, options)} ${renderReactions(language, post.reactions ?? [])}
    ${options.main ? html`<p class="exact">${time}</p>` : ''} ${renderFoot(language, post)}
    ${options.answerable === undefined ? '' : renderInteractForm(language, 'reply', options.answerable)}
  </article>`
}

function renderEdited(language: Language, post: Status, options: PostOptions): Html | string {
  if (post.edited_at === null) return ''
  const { edited } = textsIn(language).pages.public
  return options.main
    ? html` · ${edited} ${renderTime(language, post.edited_at, 'exact')}`
    : html` <span class="edited">${edited}</span>`
}

/** Picture and names of an account, a link to its page. */
export function renderAuthor(account: Account): Html {
  return html`<a class="who" href="${account.url}">
    <img src="${account.avatar_static}" alt="" width="48" height="48" loading="lazy" />
    <span
      ><strong>${renderName(nameOf(account), account.emojis)}</strong><small>@${account.acct}</small></span
    >
  </a>`
}

export const nameOf = (account: Account) => account.display_name || account.username

/** The name as titles have it, where no picture can stand: without its emoji. */
export const titleOf = (account: Account) =>
  withoutShortcodes(nameOf(account), account.emojis) || account.username

function renderBody(language: Language, post: Status, { answerable }: PostOptions): Html {
  const vote =
    answerable === undefined || post.poll?.expired !== false
      ? ''
      : renderInteractForm(language, 'vote', answerable)
  const isPlain = post.media_attachments.length === 0 && post.quote === null
  const body = html`${renderContent(post)}
  ${renderMedia(language, post.media_attachments, post.sensitive && post.spoiler_text === '')}
  ${renderPoll(language, post.poll)} ${vote} ${isPlain ? renderCard(language, post.card) : ''}
  ${renderQuote(language, post.quote, (quoted) => renderOwn(language, quoted, { quoted: true }))}`
  if (post.spoiler_text === '') return body
  return html`<details class="veil">
    <summary>${renderName(post.spoiler_text, post.emojis)}</summary>
    ${body}
  </details>`
}

function renderContent(post: Status): Html | string {
  const content = withoutFallback(post)
  if (content === '') return ''
  return html`<div class="content" dir="auto" ${post.language ? html`lang="${post.language}"` : ''}>
    ${renderRichText(content, post.emojis)}
  </div>`
}

/** An extension: what people answered with a single emoji. */
function renderReactions(language: Language, reactions: readonly Reaction[]): Html | string {
  if (reactions.length === 0) return ''
  const items = reactions.map(({ name, count, static_url: picture }) => {
    const emoji =
      picture === undefined
        ? html`<span>${name}</span>`
        : html`<img class="emoji" src="${picture}" alt=":${name}:" title=":${name}:" loading="lazy" />`
    return html`<li>${emoji} ${numberText(language, count)}</li>`
  })
  return html`<ul class="reactions" aria-label="${textsIn(language).pages.public.reactions}">
    ${items}
  </ul>`
}

/** Numbers that are not nought, and for whom the post is when that is not everyone. */
function renderFoot(language: Language, post: Status): Html | string {
  const t = textsIn(language).pages.public
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
  if (post.local_only) items.push(html`<span>${icon('house')} ${t.localOnly}</span>`)
  return items.length === 0 ? '' : html`<footer>${items}</footer>`
}

/** A post in a few words, for previews: its warning when it has one, never what stands behind it. */
export function summaryOf(post: Status, length = 300): string {
  const text = post.spoiler_text || stripHtml(withoutFallback(post))
  return shorten(withoutShortcodes(text, post.emojis), length)
}

export function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  return `${text
    .slice(0, length)
    .toWellFormed()
    .replace(/\uFFFD?$/, '')
    .trimEnd()}…`
}
