// Feeds for feed readers (RSS 2.0, https://www.rssboard.org/rss-specification): public posts only (ACC-3).
import { profileUrl, tagUrl } from '#domain/instance/urls.ts'
import { parseTagName } from '#domain/tags/queries.ts'
import { listAccountStatuses } from '#domain/timelines/account.ts'
import { listTag } from '#domain/timelines/public.ts'
import { escapeHtml } from '#lib/html.ts'
import { viewStatuses } from '#views/statuses.ts'
import { textParam } from './form.ts'
import type { Page, PageCall } from './page.ts'
import { nameOf } from './post.ts'
import { asPost, type ShownPost } from './post-types.ts'
import { getShownAccount, handleOf } from './profile.ts'
import { assertShown, cachingOf } from './public-page.ts'
import { publicTexts } from './public-texts.ts'

const most = 20
const suffix = /\.rss$/

interface Feed {
  title: string
  link: string
  description: string
  image?: string
  posts: readonly ShownPost[]
}

/** Feed readers send no cookies, and who sends one gets no more than others. */
const asStranger = (call: PageCall): PageCall => ({ ...call, viewer: null })

async function accountFeed(call: PageCall): Promise<Response> {
  const stranger = asStranger(call)
  assertShown(stranger)
  const account = await getShownAccount(stranger, handleOf(call).replace(suffix, ''))
  const query = { accountId: account.id, options: { excludeReplies: true, excludeReblogs: true } }
  // Unlisted posts come along and are left out here, so more are read than shown.
  const page = await listAccountStatuses(call.ctx, null, query, { limit: most * 2 })
  const posts = (await viewStatuses(call.ctx, null, page.items)).map(asPost)
  const acct = `@${account.username}@${call.ctx.config.localDomain}`
  return answerFeed(stranger, {
    title: nameOf(account),
    link: profileUrl(call.ctx.config, account.username),
    description: acct,
    image: account.avatar_static,
    posts: posts.filter((post) => post.visibility === 'public').slice(0, most),
  })
}

async function tagFeed(call: PageCall): Promise<Response> {
  const stranger = asStranger(call)
  assertShown(stranger, true)
  const { name, display } = parseTagName(textParam(call.params, 'tag').replace(suffix, ''))
  const page = await listTag(call.ctx, null, { name, options: {} }, { limit: most })
  return answerFeed(stranger, {
    title: `#${display}`,
    link: tagUrl(call.ctx.config, name),
    description: publicTexts(call.language).tagHint,
    posts: (await viewStatuses(call.ctx, null, page.items)).map(asPost),
  })
}

function answerFeed(call: PageCall, feed: Feed): Response {
  return new Response(renderFeed(feed), {
    headers: {
      'content-type': 'application/rss+xml; charset=utf-8',
      'cache-control': cachingOf(call),
      'content-security-policy': "default-src 'none'; sandbox",
      vary: 'Cookie, Accept-Language',
    },
  })
}

function renderFeed(feed: Feed): string {
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
    ...feed.posts.map(renderItem),
  ].join('\n')
  const spaces = 'xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"'
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${spaces}>\n<channel>\n${channel}\n</channel>\n</rss>\n`
}

function renderItem(post: ShownPost): string {
  const link = post.url ?? post.uri
  const warning =
    post.spoiler_text === '' ? '' : `<p><strong>${escapeHtml(post.spoiler_text)}</strong></p><hr>`
  return element(
    'item',
    [
      `<guid isPermaLink="${post.url !== null}">${xml(link)}</guid>`,
      element('link', xml(link)),
      element('pubDate', new Date(post.created_at).toUTCString()),
      element('description', xml(warning + post.content)),
      ...post.media_attachments.map((item) => {
        const { url, description } = item
        if (url === null || item.type === 'unknown') return ''
        const medium = item.type === 'gifv' ? 'video' : item.type
        const told = description ? `<media:description>${xml(description)}</media:description>` : ''
        return `<media:content url="${xml(url)}" medium="${medium}">${told}</media:content>`
      }),
      ...post.tags.map((tag) => element('category', xml(tag.name))),
    ].join(''),
  )
}

const element = (name: string, inside: string) => `<${name}>${inside}</${name}>`

// oxlint-disable-next-line no-control-regex -- these are what is taken out
const unwritable = /[\0-\x08\v\f\x0E-\x1F\uFFFE\uFFFF]/g

/** Text for XML 1.0, which cannot hold control characters even escaped. */
const xml = (text: string) => escapeHtml(text.toWellFormed().replaceAll(unwritable, ''))

export const pages: readonly Page[] = [
  { method: 'GET', path: '/:handle{@[^/]+\\.rss}', handle: accountFeed },
  { method: 'GET', path: '/tags/:tag{[^/]+\\.rss}', handle: tagFeed },
]
