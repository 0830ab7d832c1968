// `/`: what this server is, for those who come by; a greeting for those who live here.
import type { Status } from '#entities/status.ts'
import { html } from 'hono/html'
import { getPostCounts, getUsage } from '#domain/server/instance/document.ts'
import {
  areRegistrationsOpen,
  isClosedUntilSetUp,
} from '#domain/identity/sign-up-restrictions/registrations.ts'
import { getSettings, type Settings } from '#domain/server/instance/settings.ts'
import { getSiteUploads } from '#domain/server/instance/site-uploads.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { findFeedAccess } from '#domain/reading/timelines/feed-access.ts'
import { readPublic } from '#domain/reading/timelines/public.ts'
import { listTrendingStatuses } from '#domain/reading/trends/queries.ts'
import { picturePath, renderThumbnail } from '#views/server/site-images.ts'
import { viewSeen, viewStatuses } from '#views/content/statuses.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { redirectTo } from '../../kit/layout.ts'
import { textParam } from '../../kit/form.ts'
import type { Page, PageCall } from '../../kit/page.ts'
import { refusalText } from '../../sign-in/finish-sign-in.ts'
import { maxIdOf, renderPager } from '../pager.ts'
import { renderPosts } from '../post.ts'
import { numberText } from '../post-parts.ts'
import { isClosed, readerOf, renderPublicPage } from '../public-page.ts'
import type { Html } from '../../kit/html.ts'

const latest = 5
/** Where posts are what the page is about. */
const many = 20
const maxOffset = 1_000

async function showHome(call: PageCall): Promise<Response> {
  const { ctx } = call
  const settings = await getSettings(ctx)
  // People who live here are greeted, whatever strangers are shown.
  const landing = readerOf(call) ? 'about' : settings.landing_page
  const [usage, counts, posts, uploads] = await Promise.all([
    getUsage(ctx),
    getPostCounts(ctx),
    listShown(call, landing),
    getSiteUploads(ctx),
  ])
  const isOpen = await areRegistrationsOpen(ctx, settings)
  const t = textsIn(call.language).pages.public
  const numbers = isClosed(ctx.config)
    ? ''
    : html`<ul class="counts">
        <li>${t.people({ count: usage.users, shown: numberText(call.language, usage.users) })}</li>
        <li>${t.posts({ count: counts.posts, shown: numberText(call.language, counts.posts) })}</li>
      </ul>`
  const description = settings.site_short_description || t.defaultDescription
  const greeting = html`<section class="intro">
    <h1>${settings.site_title}</h1>
    <p class="lead">${description}</p>
    ${numbers} ${await renderInvitation(call, settings, isOpen)}
  </section>`
  return renderPublicPage(call, {
    title: settings.site_title,
    ...(isFirst(call) && {
      hero: html`<div class="welcome">
        <img src="${picturePath(uploads, 'thumbnail-2x')}" alt="" width="2400" height="1260" />
      </div>`,
    }),
    body: html`${isFirst(call) ? greeting : html`<h1 class="section">${settings.site_title}</h1>`}
    ${renderShown(call, landing, posts)}`,
    preview: {
      url: `${ctx.config.baseUrl}/`,
      type: 'website',
      description,
      image: renderThumbnail(ctx.config, uploads).url,
      largeImage: true,
      noindex: settings.noindex || !isFirst(call),
    },
  })
}

type Landing = Settings['landing_page']

/** Posts with the address of those that follow them, where there are more. */
interface Shown {
  posts: Status[]
  older: string | null
}

/** Null when strangers are not shown any. */
async function listShown(call: PageCall, landing: Landing): Promise<Shown | null> {
  const viewer = readerOf(call)
  const { config } = call.ctx
  if (!viewer && (isClosed(config) || !config.timelinePreview)) return null
  return landing === 'trends' ? listTrends(call, viewer) : listLocal(call, viewer, landing)
}

async function listTrends({ ctx, params }: PageCall, viewer: Viewer | null): Promise<Shown> {
  const offset = Math.min(Number.parseInt(textParam(params, 'offset'), 10) || 0, maxOffset)
  const ids = await listTrendingStatuses(ctx, viewer, { limit: many, offset: Math.max(offset, 0) })
  const older = ids.length === many ? `/?offset=${offset + many}` : null
  return { posts: await viewStatuses(ctx, viewer, ids), older }
}

/** Null where the settings keep them from strangers. */
async function listLocal(call: PageCall, viewer: Viewer | null, landing: Landing): Promise<Shown | null> {
  if (!(await findFeedAccess(call.ctx, viewer, 'live')).local) return null
  const maxId = maxIdOf(call)
  const limit = landing === 'about' && maxId === undefined ? latest : many
  const page = await readPublic(call.ctx, viewer, { local: true }, { limit, maxId })
  const older = page.full && page.oldest ? `/?max_id=${page.oldest}` : null
  return { posts: await viewSeen(call.ctx, viewer, page), older }
}

const isFirst = (call: PageCall) =>
  maxIdOf(call) === undefined && !(Number.parseInt(textParam(call.params, 'offset'), 10) > 0)

function renderShown(call: PageCall, landing: Landing, shown: Shown | null): Html | string {
  if (shown === null) return ''
  const t = textsIn(call.language).pages.public
  return html`<h2 class="section" id="posts">${landing === 'trends' ? t.trending : t.latest}</h2>
    ${renderPosts(call.language, shown.posts)} ${renderPager(call, isFirst(call) ? null : '/', shown.older)}`
}

async function renderInvitation(call: PageCall, settings: Settings, isOpen: boolean): Promise<Html> {
  const t = textsIn(call.language).pages.public
  if (call.viewer) {
    const { username, refusal } = call.viewer
    if (refusal !== null) return html`<p class="notice">${refusalText(call, refusal)}</p>`
    return html`<p>${t.welcome} <strong>@${username}</strong>. ${t.useApp}</p>
      <p class="actions"><a class="button" href="/@${username}">${t.yourProfile}</a></p>`
  }
  const closed = (await isClosedUntilSetUp(call.ctx))
    ? textsIn(call.language).pages.signUp.notSetUp
    : t.closed
  const hint = isOpen ? (settings.registrations_mode === 'approved' ? t.byApproval : '') : closed
  return html`<p class="actions">
      ${isOpen ? html`<a class="button" href="/auth/sign_up">${t.signUp}</a>` : ''}
      <a class="button quiet" href="/auth/sign_in">${t.signIn}</a>
      <a class="plain" href="/about#rules">${t.rules}</a>
    </p>
    ${hint ? html`<p class="soft">${hint}</p>` : ''}`
}

export const pages: readonly Page[] = [
  { method: 'GET', path: '/', replicated: true, handle: showHome, app: () => redirectTo('/home', 302) },
]
