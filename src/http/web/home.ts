// `/`: what this server is, for those who come by; a greeting for those who live here.
import { html } from 'hono/html'
import { getPostCounts, getUsage } from '#domain/instance/document.ts'
import { getSettings, isRegistrationPossible, type Settings } from '#domain/instance/settings.ts'
import { listPublic } from '#domain/timelines/public.ts'
import { viewStatuses } from '#views/statuses.ts'
import type { Page, PageCall } from './page.ts'
import { renderPosts } from './post.ts'
import { numberText } from './post-parts.ts'
import { asPost, type ShownPost } from './post-types.ts'
import { isClosed, readerOf, renderPublicPage } from './public-page.ts'
import { publicTexts } from './public-texts.ts'
import type { Html } from './texts.ts'

const latest = 5

async function showHome(call: PageCall): Promise<Response> {
  const { ctx } = call
  const [settings, usage, counts, posts] = await Promise.all([
    getSettings(ctx),
    getUsage(ctx),
    getPostCounts(ctx),
    listLatest(call),
  ])
  const t = publicTexts(call.language)
  const numbers = isClosed(ctx.config)
    ? ''
    : html`<ul class="counts">
        <li>${t.people(usage.users, numberText(call.language, usage.users))}</li>
        <li>${t.posts(counts.posts, numberText(call.language, counts.posts))}</li>
      </ul>`
  const description = settings.site_short_description || t.defaultDescription
  return renderPublicPage(call, {
    title: settings.site_title,
    hero: html`<div class="welcome">
      <img src="/instance/thumbnail-2x.png" alt="" width="2400" height="1260" />
    </div>`,
    body: html`<section class="intro">
        <h1>${settings.site_title}</h1>
        <p class="lead">${description}</p>
        ${numbers} ${renderInvitation(call, settings)}
      </section>
      ${renderLatest(call, posts)}`,
    preview: {
      url: `${ctx.config.baseUrl}/`,
      type: 'website',
      description,
      image: `${ctx.config.baseUrl}/instance/thumbnail.png`,
      largeImage: true,
      noindex: settings.noindex,
    },
  })
}

/** Null when strangers are not shown any. */
async function listLatest(call: PageCall): Promise<ShownPost[] | null> {
  const viewer = readerOf(call)
  const { config } = call.ctx
  if (!viewer && (isClosed(config) || !config.timelinePreview)) return null
  const page = await listPublic(call.ctx, viewer, { local: true }, { limit: latest })
  return (await viewStatuses(call.ctx, viewer, page.items)).map(asPost)
}

function renderLatest(call: PageCall, posts: readonly ShownPost[] | null): Html | string {
  if (posts === null) return ''
  return html`<h2 class="section">${publicTexts(call.language).latest}</h2>
    ${renderPosts(call.language, posts)}`
}

function renderInvitation(call: PageCall, settings: Settings): Html {
  const t = publicTexts(call.language)
  if (call.viewer) {
    const { username } = call.viewer
    return html`<p>${t.welcome} <strong>@${username}</strong>. ${t.useApp}</p>
      <p class="actions"><a class="button" href="/@${username}">${t.yourProfile}</a></p>`
  }
  const isOpen = isRegistrationPossible(call.ctx.config, settings)
  const hint = isOpen ? (settings.registrations_mode === 'approved' ? t.byApproval : '') : t.closed
  return html`<p class="actions">
      ${isOpen ? html`<a class="button" href="/auth/sign_up">${t.signUp}</a>` : ''}
      <a class="button quiet" href="/auth/sign_in">${t.signIn}</a>
      <a class="plain" href="/about#rules">${t.rules}</a>
    </p>
    ${hint ? html`<p class="soft">${hint}</p>` : ''}`
}

export const pages: readonly Page[] = [{ method: 'GET', path: '/', handle: showHome }]
