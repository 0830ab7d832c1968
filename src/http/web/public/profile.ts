// `/@name`: an account of this server as everyone may see it, and the kinds of its posts.
import type { Account } from '#entities/account.ts'
import type { Status } from '#entities/status.ts'
import { html } from 'hono/html'
import { listCollections } from '#domain/reading/collections/queries.ts'
import { findLocalAccount } from '#domain/identity/accounts/lookup.ts'
import { actorUri, profileUrl } from '#domain/server/instance/urls.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { listFeaturedTags } from '#domain/content/tags/featured-tags.ts'
import { parseTagName } from '#domain/content/tags/queries.ts'
import { readAccountStatuses, type AccountStatusesOptions } from '#domain/reading/timelines/account.ts'
import { gone, notFound } from '#lib/errors.ts'
import { stripHtml } from '#lib/html/html.ts'
import { withoutShortcodes } from '#lib/text/shortcodes.ts'
import { viewAccount } from '#views/identity/accounts.ts'
import { viewSeen } from '#views/content/statuses.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { profile } from '../app/views.ts'
import { textParam } from '../kit/form.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { renderPost, shorten, titleOf } from './post.ts'
import { renderHeader, renderProfile, type Featured } from './profile-parts.ts'
import { maxIdOf, renderPager, renderTabs } from './pager.ts'
import { readerOf, refuseStranger, renderPublicPage } from './public-page.ts'
import type { Html } from '../kit/html.ts'
import { asId, type AccountId, type IdCursor } from '#lib/id.ts'

const pageSize = 20
const maxPinned = 5
const maxCollections = 10

/** The local account of a name, for a page. Throws `not_found`, and `gone` for a suspended or deleted one. */
export async function getShownAccount(call: PageCall, username: string): Promise<Account> {
  const found = /^[A-Za-z0-9_]+$/.test(username) ? await findLocalAccount(call.ctx, username) : null
  if (!found) throw notFound()
  if (found.gone) throw gone()
  return await viewAccount(call.ctx, found.id)
}

/** `alice` of `/@alice`. */
export const handleOf = (call: PageCall) => textParam(call.params, 'handle').slice(1)

/** Where programs find the account behind a page (RFC 6415 section 2, RFC 7033). */
export function webfingerLink(call: PageCall, account: Account): string {
  const { baseUrl, localDomain } = call.ctx.config
  const resource = encodeURIComponent(`acct:${account.username}@${localDomain}`)
  return `<${baseUrl}/.well-known/webfinger?resource=${resource}>; rel="lrdd"; type="application/jrd+json"`
}

/** One kind of an account's posts, with a page and a feed of its own. */
interface Section {
  /** What follows the address of the profile. */
  path: '' | '/with_replies' | '/media' | `/tagged/${string}`
  options: AccountStatusesOptions
  /** Of a hashtag. */
  heading?: string
}

type FindSection = (call: PageCall, account: Account) => Section

const posts: FindSection = () => ({ path: '', options: { excludeReplies: true } })
const withReplies: FindSection = () => ({ path: '/with_replies', options: {} })

/** With the media of replies where the person wants them to be here. */
const media: FindSection = (_, account) => ({
  path: '/media',
  options: { onlyMedia: true, excludeReblogs: true, excludeReplies: account.show_media_replies === false },
})

const tagged: FindSection = (call) => {
  const { name, display } = parseTagName(textParam(call.params, 'tag'))
  return {
    path: `/tagged/${encodeURIComponent(name)}`,
    options: { tagged: name, excludeReblogs: true },
    heading: `#${display}`,
  }
}

async function showProfile(call: PageCall, find: FindSection): Promise<Response> {
  const refused = refuseStranger(call)
  if (refused) return refused
  const account = await getShownAccount(call, handleOf(call))
  const section = find(call, account)
  const maxId = maxIdOf(call)
  const isFront = section.path === '' && maxId === undefined
  const [pinned, page, featured, settings] = await Promise.all([
    isFront ? listPinned(call, asId<AccountId>(account.id)) : [],
    listPosts(call, { accountId: asId<AccountId>(account.id), options: section.options }, maxId),
    listFeatured(call, account),
    getSettings(call.ctx),
  ])
  const { config } = call.ctx
  const address = profileUrl(config, account.username)
  const url = address + section.path
  const actor = actorUri(config, account.username)
  const t = textsIn(call.language).pages.public
  const acct = `${titleOf(account)} (@${account.username}@${config.localDomain})`
  return renderPublicPage(call, {
    title: section.heading ? `${section.heading} · ${acct}` : acct,
    hero: renderHeader(account),
    body: html`${renderProfile(call, account, featured)} ${renderSections(call, account, section)}
    ${renderList(call, pinned, page)}`,
    link: `${webfingerLink(call, account)}, <${actor}>; rel="alternate"; type="application/activity+json"`,
    head: html`<link rel="alternate" type="application/activity+json" href="${actor}" />
      <link rel="alternate" type="application/rss+xml" title="${t.feed}" href="${url}.rss" />`,
    preview: {
      url,
      type: 'profile',
      description: shorten(withoutShortcodes(stripHtml(account.note), account.emojis), 300),
      image: account.avatar_static,
      noindex: settings.noindex || account.noindex === true || account.limited === true,
    },
  })
}

interface PostsPage {
  items: Status[]
  olderThan: IdCursor | null
  isFirst: boolean
}

async function listPosts(
  call: PageCall,
  query: { accountId: AccountId; options: AccountStatusesOptions },
  maxId: IdCursor | undefined,
): Promise<PostsPage> {
  const viewer = readerOf(call)
  const page = await readAccountStatuses(call.ctx, viewer?.accountId ?? null, query, {
    limit: pageSize,
    maxId,
  })
  const views = await viewSeen(call.ctx, viewer, page)
  return {
    items: views,
    olderThan: page.full ? page.oldest : null,
    isFirst: maxId === undefined,
  }
}

async function listPinned(call: PageCall, accountId: AccountId): Promise<Status[]> {
  const viewer = readerOf(call)
  const query = { accountId, options: { pinned: true } }
  const page = await readAccountStatuses(call.ctx, viewer?.accountId ?? null, query, { limit: maxPinned })
  return await viewSeen(call.ctx, viewer, page)
}

/** Nothing where the person does not want it shown. */
async function listFeatured(call: PageCall, account: Account): Promise<Featured> {
  if (account.show_featured === false) return { tags: [], collections: [] }
  const viewerId = readerOf(call)?.accountId ?? null
  const [tags, collections] = await Promise.all([
    listFeaturedTags(call.ctx, asId<AccountId>(account.id)),
    listCollections(call.ctx, viewerId, asId<AccountId>(account.id), { limit: maxCollections, offset: 0 }),
  ])
  return { tags, collections }
}

function renderSections(call: PageCall, account: Account, section: Section): Html {
  const t = textsIn(call.language).pages.public
  const tabs = [
    { path: '', name: t.tabPosts },
    { path: '/with_replies', name: t.tabReplies },
    ...(account.show_media === false ? [] : [{ path: '/media', name: t.tabMedia }]),
    ...(section.heading ? [{ path: section.path, name: section.heading }] : []),
  ]
  const links = tabs.map(({ path, name }) => ({
    path: `/@${account.username}${path}`,
    name: html`<bdi>${name}</bdi>`,
    isCurrent: path === section.path,
  }))
  return renderTabs(call, t.kinds, links)
}

function renderList(call: PageCall, pinned: readonly Status[], page: PostsPage): Html {
  const t = textsIn(call.language).pages.public
  const shown = new Set(pinned.map((post) => post.id))
  const rest = page.items.filter((post) => !shown.has(post.id))
  const newest = page.isFirst ? null : call.url.pathname
  const older = page.olderThan === null ? null : `?max_id=${page.olderThan}`
  const posts = html`<div class="posts">
    ${pinned.map((post) => renderPost(call.language, post, { pinned: true }))}
    ${rest.map((post) => renderPost(call.language, post))}
  </div>`
  return html`${shown.size + rest.length === 0 ? html`<p class="empty">${t.nothing}</p>` : posts}
  ${renderPager(call, newest, older)}`
}

/** A path of this server that moved for good. The account need not exist: the new path says so. */
export function movedTo(path: string): Response {
  const headers = { location: path, 'cache-control': 'public, max-age=300', vary: 'Accept' }
  return new Response(null, { status: 301, headers })
}

export const pages: readonly Page[] = [
  {
    method: 'GET',
    path: '/:handle{@[^/]+}',
    app: profile,
    replicated: true,
    handle: (call) => showProfile(call, posts),
  },
  {
    method: 'GET',
    path: '/:handle{@[^/]+}/with_replies',
    app: profile,
    replicated: true,
    handle: (call) => showProfile(call, withReplies),
  },
  {
    method: 'GET',
    path: '/:handle{@[^/]+}/media',
    app: profile,
    replicated: true,
    handle: (call) => showProfile(call, media),
  },
  {
    method: 'GET',
    path: '/:handle{@[^/]+}/tagged/:tag',
    app: profile,
    replicated: true,
    handle: (call) => showProfile(call, tagged),
  },
  {
    method: 'GET',
    path: '/users/:username',
    handle: async (call) => movedTo(`/@${encodeURIComponent(textParam(call.params, 'username'))}`),
  },
]
