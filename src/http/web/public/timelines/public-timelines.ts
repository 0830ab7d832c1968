// `/public`, `/public/local`, `/public/remote`: what everybody may read. Who is signed in has the app there.
import { html } from 'hono/html'
import { getSiteUploads } from '#domain/server/instance/site-uploads.ts'
import { findFeedAccess, narrow } from '#domain/reading/timelines/feed-access.ts'
import { readPublic, type PublicOptions } from '#domain/reading/timelines/public.ts'
import { renderThumbnail } from '#views/server/site-images.ts'
import { viewSeen } from '#views/content/statuses.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { firstPage } from '../../app/views.ts'
import { redirectTo } from '../../kit/layout.ts'
import type { Page, PageCall } from '../../kit/page.ts'
import { signInPath } from '../../kit/return-to.ts'
import { maxIdOf, renderPager, renderTabs } from '../pager.ts'
import { renderPosts } from '../post.ts'
import { readerOf, refuseStranger, renderPublicPage } from '../public-page.ts'

const pageSize = 20

/** `query`: as the app asks the API for the same. */
interface Timeline {
  path: Page['path']
  options: PublicOptions
  query: string
}

const timelines = {
  everything: { path: '/public', options: {}, query: '' },
  local: { path: '/public/local', options: { local: true }, query: '?local=true' },
  remote: { path: '/public/remote', options: { remote: true }, query: '?remote=true' },
} as const satisfies Record<string, Timeline>

type Name = keyof typeof timelines

const names = Object.keys(timelines) as Name[]

async function showTimeline(call: PageCall, name: Name): Promise<Response> {
  const refused = refuseStranger(call, true)
  if (refused) return refused
  const { path, options } = timelines[name]
  const viewer = readerOf(call)
  const access = await findFeedAccess(call.ctx, viewer, 'live')
  const offered = names.filter((one) => narrow(timelines[one].options, access))
  if (!offered.includes(name)) return redirectTo(viewer ? '/?plain' : signInPath(path), 302)
  const maxId = maxIdOf(call)
  const page = await readPublic(call.ctx, viewer, options, { limit: pageSize, maxId })
  const posts = await viewSeen(call.ctx, viewer, page)
  const t = textsIn(call.language).pages.public
  const tabs = offered.map((one) => ({
    path: timelines[one].path,
    name: t.timelines[one],
    isCurrent: one === name,
  }))
  const older = page.full && page.oldest ? `?max_id=${page.oldest}` : null
  return renderPublicPage(call, {
    title: t.timelines[name],
    body: html`<h1 class="section">${t.timelines[name]}</h1>
      ${renderTabs(call, t.timelinesLabel, tabs)} ${renderPosts(call.language, posts)}
      ${renderPager(call, maxId === undefined ? null : path, older)}`,
    preview: {
      url: call.ctx.config.baseUrl + path,
      type: 'website',
      description: t.timelineHints[name],
      image: renderThumbnail(call.ctx.config, await getSiteUploads(call.ctx)).url,
      // Not everybody whose posts pass by wants to be found.
      noindex: true,
    },
  })
}

export const pages: readonly Page[] = names.map((name) => ({
  method: 'GET',
  path: timelines[name].path,
  app: () => [firstPage(`/api/v1/timelines/public${timelines[name].query}`)],
  replicated: true,
  handle: (call) => showTimeline(call, name),
}))
