// Feeds for feed readers (RSS 2.0, https://www.rssboard.org/rss-specification): public posts only (ACC-3).
import type { Status } from '#entities/status.ts'
import { profileUrl, tagUrl } from '#domain/server/instance/urls.ts'
import { loadMediaSizes } from '#domain/content/media/sizes.ts'
import { parseTagName } from '#domain/content/tags/queries.ts'
import { readAccountStatuses, type AccountStatusesOptions } from '#domain/reading/timelines/account.ts'
import { readTag } from '#domain/reading/timelines/public.ts'
import { viewSeen } from '#views/content/statuses.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { textParam } from '../kit/form.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { titleOf } from './post.ts'
import { getShownAccount, handleOf } from './profile.ts'
import { assertShown, cachingOf } from './public-page.ts'
import { element, renderItem, xml } from './rss-item.ts'
import { asId, asIds, type AccountId, type MediaId } from '#lib/id.ts'

const max = 20
const suffix = /\.rss$/

interface Feed {
  title: string
  link: string
  description: string
  image?: string
  posts: readonly Status[]
  /** Who does not want to be found is not found by feeds either. */
  noindex: boolean
}

/** Feed readers send no cookies, and who sends one gets no more than others. */
const asStranger = (call: PageCall): PageCall => ({ ...call, viewer: null })

type FindSection = (call: PageCall) => {
  /** What follows the address of the profile. */
  path: string
  options: AccountStatusesOptions
  /** Of a hashtag. */
  heading?: string
}

const posts: FindSection = () => ({ path: '', options: { excludeReplies: true } })
const withReplies: FindSection = () => ({ path: '/with_replies', options: {} })
const media: FindSection = () => ({ path: '/media', options: { onlyMedia: true } })
const tagged: FindSection = (call) => {
  const { name, display } = tagOf(call)
  return { path: `/tagged/${encodeURIComponent(name)}`, options: { tagged: name }, heading: `#${display}` }
}

const tagOf = (call: PageCall) => parseTagName(textParam(call.params, 'tag').replace(suffix, ''))

async function accountFeed(call: PageCall, find: FindSection): Promise<Response> {
  const stranger = asStranger(call)
  assertShown(stranger)
  const account = await getShownAccount(stranger, handleOf(call).replace(suffix, ''))
  const { path, options, heading } = find(call)
  const query = { accountId: asId<AccountId>(account.id), options: { ...options, excludeReblogs: true } }
  // Unlisted posts come along and are left out here, so more are read than shown.
  const page = await readAccountStatuses(call.ctx, null, query, { limit: max * 2 })
  const found = await viewSeen(call.ctx, null, page)
  const acct = `@${account.username}@${call.ctx.config.localDomain}`
  return answerFeed(stranger, {
    title: heading ? `${heading} · ${titleOf(account)}` : titleOf(account),
    link: profileUrl(call.ctx.config, account.username) + path,
    description: acct,
    image: account.avatar_static,
    noindex: account.noindex === true || account.limited === true,
    posts: found.filter((post) => post.visibility === 'public').slice(0, max),
  })
}

async function tagFeed(call: PageCall): Promise<Response> {
  const stranger = asStranger(call)
  assertShown(stranger, true)
  const { name, display } = tagOf(call)
  const page = await readTag(call.ctx, null, { name, options: {} }, { limit: max })
  return answerFeed(stranger, {
    title: `#${display}`,
    link: tagUrl(call.ctx.config, name),
    description: textsIn(call.language).pages.public.tagHint,
    noindex: false,
    posts: await viewSeen(call.ctx, null, page),
  })
}

async function answerFeed(call: PageCall, feed: Feed): Promise<Response> {
  const ids = feed.posts.flatMap((post) => post.media_attachments.map((item) => item.id))
  const sizes = await loadMediaSizes(call.ctx, asIds<MediaId>(ids))
  const items = feed.posts.map((post) => renderItem(call.language, post, sizes))
  return new Response(renderFeed(feed, items), {
    headers: {
      'content-type': 'application/rss+xml; charset=utf-8',
      'cache-control': cachingOf(call),
      'content-security-policy': "default-src 'none'; sandbox",
      vary: 'Cookie, Accept-Language',
      ...(feed.noindex && { 'x-robots-tag': 'noindex' }),
    },
  })
}

function renderFeed(feed: Feed, items: readonly string[]): string {
  const self = `${feed.link}.rss`
  const image =
    feed.image === undefined
      ? ''
      : element(
          'image',
          element('url', xml(feed.image)) +
            element('title', xml(feed.title)) +
            element('link', xml(feed.link)),
        )
  const newest = feed.posts[0]
  const built = newest ? element('lastBuildDate', new Date(newest.created_at).toUTCString()) : ''
  const channel = [
    element('title', xml(feed.title)),
    element('description', xml(feed.description)),
    element('link', xml(feed.link)),
    `<atom:link rel="self" type="application/rss+xml" href="${xml(self)}"/>`,
    image,
    built,
    element('generator', 'Stonechat'),
    ...items,
  ].join('\n')
  const spaces = 'xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"'
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${spaces}>\n<channel>\n${channel}\n</channel>\n</rss>\n`
}

export const pages: readonly Page[] = [
  {
    method: 'GET',
    path: '/:handle{@[^/]+\\.rss}',
    replicated: true,
    handle: (call) => accountFeed(call, posts),
  },
  {
    method: 'GET',
    path: '/:handle{@[^/]+}/with_replies.rss',
    replicated: true,
    handle: (call) => accountFeed(call, withReplies),
  },
  {
    method: 'GET',
    path: '/:handle{@[^/]+}/media.rss',
    replicated: true,
    handle: (call) => accountFeed(call, media),
  },
  {
    method: 'GET',
    path: '/:handle{@[^/]+}/tagged/:tag{[^/]+\\.rss}',
    replicated: true,
    handle: (call) => accountFeed(call, tagged),
  },
  { method: 'GET', path: '/tags/:tag{[^/]+\\.rss}', replicated: true, handle: tagFeed },
]
