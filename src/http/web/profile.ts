// `/@name`: an account of this server as everyone may see it.
import { html, raw } from 'hono/html'
import { findLocalAccount } from '#domain/accounts/lookup.ts'
import { actorUri, profileUrl } from '#domain/instance/urls.ts'
import { getSettings } from '#domain/instance/settings.ts'
import { listAccountStatuses } from '#domain/timelines/account.ts'
import { gone, notFound } from '#lib/errors.ts'
import { stripHtml } from '#lib/html.ts'
import type { Id } from '#lib/id.ts'
import { isId } from '#lib/ids.ts'
import { viewAccount } from '#views/accounts.ts'
import { viewStatuses } from '#views/statuses.ts'
import { emojify } from './emojify.ts'
import { textParam } from './form.ts'
import { icon } from './icons.ts'
import type { Page, PageCall } from './page.ts'
import { nameOf, renderPost, shorten } from './post.ts'
import { numberText, renderName, renderTime } from './post-parts.ts'
import { asAccount, asPost, type ShownAccount, type ShownPost } from './post-types.ts'
import { readerOf, refuseStranger, renderPublicPage } from './public-page.ts'
import { publicTexts } from './public-texts.ts'
import type { Html } from './texts.ts'

const pageSize = 20
const mostPinned = 5

/** The local account of a name, for a page. Throws `not_found`, and `gone` for a suspended or deleted one. */
export async function getShownAccount(call: PageCall, username: string): Promise<ShownAccount> {
  const found = /^[A-Za-z0-9_]+$/.test(username) ? await findLocalAccount(call.ctx, username) : null
  if (!found) throw notFound()
  if (found.gone) throw gone()
  return asAccount(await viewAccount(call.ctx, found.id))
}

/** `alice` of `/@alice`. */
export const handleOf = (call: PageCall) => textParam(call.params, 'handle').slice(1)

/** Where programs find the account behind a page (RFC 6415 section 2, RFC 7033). */
export function webfingerLink(call: PageCall, account: ShownAccount): string {
  const { baseUrl, localDomain } = call.ctx.config
  const resource = encodeURIComponent(`acct:${account.username}@${localDomain}`)
  return `<${baseUrl}/.well-known/webfinger?resource=${resource}>; rel="lrdd"; type="application/jrd+json"`
}

async function showProfile(call: PageCall): Promise<Response> {
  const refused = refuseStranger(call)
  if (refused) return refused
  const account = await getShownAccount(call, handleOf(call))
  const asked = textParam(call.params, 'max_id')
  const maxId = isId(asked) ? (asked as Id) : undefined
  const [pinned, page, settings] = await Promise.all([
    maxId === undefined ? listPinned(call, account.id) : [],
    listPosts(call, account.id, maxId),
    getSettings(call.ctx),
  ])
  const { config } = call.ctx
  const url = profileUrl(config, account.username)
  const actor = actorUri(config, account.username)
  const t = publicTexts(call.language)
  const name = nameOf(account)
  return renderPublicPage(call, {
    title: `${name} (@${account.username}@${config.localDomain})`,
    hero: renderHeader(account),
    body: html`${renderProfile(call, account)} ${renderList(call, pinned, page)}`,
    link: `${webfingerLink(call, account)}, <${actor}>; rel="alternate"; type="application/activity+json"`,
    head: html`<link rel="alternate" type="application/activity+json" href="${actor}" />
      <link rel="alternate" type="application/rss+xml" title="${t.feed}" href="${url}.rss" />`,
    preview: {
      url,
      type: 'profile',
      description: shorten(stripHtml(account.note), 300),
      image: account.avatar_static,
      noindex: settings.noindex || account.noindex === true || account.limited === true,
    },
  })
}

interface Posts {
  items: ShownPost[]
  olderThan: Id | null
  isFirst: boolean
}

async function listPosts(call: PageCall, accountId: Id, maxId: Id | undefined): Promise<Posts> {
  const viewer = readerOf(call)
  const query = { accountId, options: { excludeReplies: true } }
  const page = await listAccountStatuses(call.ctx, viewer?.accountId ?? null, query, {
    limit: pageSize,
    maxId,
  })
  const views = await viewStatuses(call.ctx, viewer, page.items)
  return {
    items: views.map(asPost),
    olderThan: page.full ? page.oldest : null,
    isFirst: maxId === undefined,
  }
}

async function listPinned(call: PageCall, accountId: Id): Promise<ShownPost[]> {
  const viewer = readerOf(call)
  const query = { accountId, options: { pinned: true } }
  const page = await listAccountStatuses(call.ctx, viewer?.accountId ?? null, query, { limit: mostPinned })
  return (await viewStatuses(call.ctx, viewer, page.items)).map(asPost)
}

function renderHeader(account: ShownAccount): Html {
  return html`<div class="banner">
    <img src="${account.header_static}" alt="${account.header_description ?? ''}" />
  </div>`
}

function renderProfile(call: PageCall, account: ShownAccount): Html {
  const t = publicTexts(call.language)
  const acct = `@${account.username}@${call.ctx.config.localDomain}`
  const badges = [
    ...(account.roles ?? []).map((role) => role.name),
    ...(account.bot ? [t.bot] : []),
    ...(account.locked ? [t.locked] : []),
    ...(account.memorial ? [t.memorial] : []),
  ]
  return html`<section class="profile">
    <img
      class="face"
      src="${account.avatar_static}"
      alt="${account.avatar_description ?? ''}"
      width="112"
      height="112"
    />
    <h1>${renderName(nameOf(account), account.emojis)}</h1>
    <p class="handle">${acct}${badges.map((badge) => html` <span class="badge">${badge}</span>`)}</p>
    ${renderMoved(call, account)}
    <div class="content" dir="auto">${raw(emojify(account.note, account.emojis))}</div>
    ${renderFields(call, account)}
    <ul class="counts">
      <li>${t.posts(account.statuses_count, numberText(call.language, account.statuses_count))}</li>
      <li>${t.followers(account.followers_count, numberText(call.language, account.followers_count))}</li>
      <li>${t.following(numberText(call.language, account.following_count))}</li>
    </ul>
    <p class="soft">${t.followHint(acct)}</p>
  </section>`
}

function renderMoved(call: PageCall, account: ShownAccount): Html | string {
  if (!account.moved) return ''
  const { moved } = account
  return html`<p class="notice">
    ${renderName(nameOf(account), account.emojis)} ${publicTexts(call.language).moved}
    <a href="${moved.url}">@${moved.acct}</a>
  </p>`
}

function renderFields(call: PageCall, account: ShownAccount): Html {
  const t = publicTexts(call.language)
  const rows = account.fields.map((field) => {
    const verified =
      field.verified_at === null ? '' : html`<span title="${t.verified}">${icon('check')}</span>`
    return html`<div class="${field.verified_at === null ? 'field' : 'field verified'}">
      <dt dir="auto">${renderName(field.name, account.emojis)}</dt>
      <dd dir="auto">${verified}${raw(emojify(field.value, account.emojis))}</dd>
    </div>`
  })
  const joined = renderTime(call.language, account.created_at)
  return html`<dl class="fields">
    ${rows}
    <div class="field">
      <dt>${t.joined}</dt>
      <dd>${joined}</dd>
    </div>
  </dl>`
}

function renderList(call: PageCall, pinned: readonly ShownPost[], page: Posts): Html {
  const t = publicTexts(call.language)
  const shown = new Set(pinned.map((post) => post.id))
  const rest = page.items.filter((post) => !shown.has(post.id))
  const empty = shown.size + rest.length === 0 ? html`<p class="empty">${t.nothing}</p>` : ''
  const newest = page.isFirst ? '' : html`<a href="${call.url.pathname}" rel="first">${t.newest}</a>`
  const older =
    page.olderThan === null ? '' : html`<a href="?max_id=${page.olderThan}" rel="next">${t.older}</a>`
  return html`${empty}
    <div class="posts">
      ${pinned.map((post) => renderPost(call.language, post, { pinned: true }))}
      ${rest.map((post) => renderPost(call.language, post))}
    </div>
    <nav class="pager">${newest} ${older}</nav>`
}

/** A path of this server that moved for good. The account need not exist: the new path says so. */
export function movedTo(path: string): Response {
  const headers = { location: path, 'cache-control': 'public, max-age=300', vary: 'Accept' }
  return new Response(null, { status: 301, headers })
}

export const pages: readonly Page[] = [
  { method: 'GET', path: '/:handle{@[^/]+}', handle: showProfile },
  {
    method: 'GET',
    path: '/users/:username',
    handle: async (call) => movedTo(`/@${encodeURIComponent(textParam(call.params, 'username'))}`),
  },
]
