import { html } from 'hono/html'
import { getSettings } from '#domain/server/instance/settings.ts'
import { getSiteUploads } from '#domain/server/instance/site-uploads.ts'
import { tagUrl } from '#domain/server/instance/urls.ts'
import { parseTagName } from '#domain/content/tags/queries.ts'
import { readTag } from '#domain/reading/timelines/public.ts'
import { renderThumbnail } from '#views/server/site-images.ts'
import { viewSeen } from '#views/content/statuses.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { firstPage } from '../../app/views.ts'
import { textParam } from '../../kit/form.ts'
import type { Page, PageCall } from '../../kit/page.ts'
import { renderPosts } from '../post.ts'
import { maxIdOf, renderPager } from '../pager.ts'
import { readerOf, refuseStranger, renderPublicPage } from '../public-page.ts'

const pageSize = 20

async function showTag(call: PageCall): Promise<Response> {
  const refused = refuseStranger(call, true)
  if (refused) return refused
  const viewer = readerOf(call)
  const { name, display } = parseTagName(textParam(call.params, 'tag'))
  const maxId = maxIdOf(call)
  const page = await readTag(call.ctx, viewer, { name, options: {} }, { limit: pageSize, maxId })
  const posts = await viewSeen(call.ctx, viewer, page)
  const t = textsIn(call.language).pages.public
  const url = tagUrl(call.ctx.config, name)
  const older = page.full && page.oldest ? `?max_id=${page.oldest}` : null
  const newest = maxId === undefined ? null : call.url.pathname
  const settings = await getSettings(call.ctx)
  return renderPublicPage(call, {
    title: `#${display}`,
    body: html`<h1 class="section">#<bdi>${display}</bdi></h1>
      <p class="soft">${t.tagHint} · <a href="${url}.rss">${t.feed}</a></p>
      ${renderPosts(call.language, posts)} ${renderPager(call, newest, older)}`,
    head: html`<link rel="alternate" type="application/rss+xml" title="${t.feed}" href="${url}.rss" />`,
    preview: {
      url,
      type: 'website',
      description: t.tagHint,
      image: renderThumbnail(call.ctx.config, await getSiteUploads(call.ctx)).url,
      noindex: settings.noindex,
    },
  })
}

/** Other tags that the app's view takes in or leaves out, as they stand in the address and in the API. */
const combinations = ['any[]', 'all[]', 'none[]'] as const

/** The app's view of the tag begins with the tag and its first page. */
const begin = (call: PageCall) => {
  const tag = encodeURIComponent(textParam(call.params, 'tag'))
  const others = combinations.flatMap((name) =>
    call.url.searchParams.getAll(name).map((value): [string, string] => [name, value]),
  )
  const query = others.length === 0 ? '' : `?${new URLSearchParams(others)}`
  return [`/api/v1/tags/${tag}`, firstPage(`/api/v1/timelines/tag/${tag}${query}`)]
}

export const pages: readonly Page[] = [
  { method: 'GET', path: '/tags/:tag', replicated: true, handle: showTag, app: begin },
]
