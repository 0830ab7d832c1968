// `/@name/id`: one post with the conversation around it, and the same post for other sites to embed.
import type { Status } from '#entities/status.ts'
import { html } from 'hono/html'
import { getSettings } from '#domain/server/instance/settings.ts'
import { statusUri, statusUrl } from '#domain/server/instance/urls.ts'
import { listContext, type Thread } from '#domain/content/statuses/context.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { notFound } from '#lib/errors.ts'
import { isId } from '#lib/ids.ts'
import { pick } from '#lib/collections.ts'
import { loadThreadViews, viewStatus } from '#views/content/statuses.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { post as postView } from '../app/views.ts'
import { textParam } from '../kit/form.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { renderPost, renderPosts, summaryOf, titleOf } from './post.ts'
import { handleOf, movedTo, webfingerLink } from './profile.ts'
import { countMedia, describePost, type Preview } from './preview.ts'
import { cachingOf, readerOf, refuseStranger, renderPublicPage } from './public-page.ts'
import type { Html } from '../kit/html.ts'
import { asId, type StatusId } from '#lib/id.ts'

/** How much of a long conversation stands on one page. */
const max = { ancestors: 40, descendants: 60 }

/** The post of this author, as far as the viewer may see it. Throws `not_found`, the same for hidden and missing. */
async function getShownPost(call: PageCall, viewer: Viewer | null): Promise<Status> {
  const id = textParam(call.params, 'id')
  if (!isId(id)) throw notFound()
  const post = await viewStatus(call.ctx, viewer, asId<StatusId>(id))
  // Local handles have no domain, so this leaves out those of other servers too.
  if (post.account.acct.toLowerCase() !== handleOf(call).toLowerCase()) throw notFound()
  return post
}

async function showStatus(call: PageCall): Promise<Response> {
  const refused = refuseStranger(call)
  if (refused) return refused
  const viewer = readerOf(call)
  const post = await getShownPost(call, viewer)
  if (post.reblog) return redirectTo(post.reblog.url ?? post.reblog.uri, 302)
  const thread = shortened(await listContext(call.ctx, viewer?.accountId ?? null, asId<StatusId>(post.id)))
  const views = await loadThreadViews(call.ctx, viewer, thread)
  const postsOf = (ids: readonly StatusId[]) => pick(ids, views)
  const replies = postsOf(thread.descendants)
  const t = textsIn(call.language).pages.public
  const { config } = call.ctx
  const uri = statusUri(config, post.account.username, asId<StatusId>(post.id))
  const below = html`<h2 class="section">${t.replies}</h2>
    ${renderPosts(call.language, replies)}`
  return renderPublicPage(call, {
    title: headingOf(call, post),
    body: html`<h1 class="spoken">${headingOf(call, post)}</h1>
      <div class="thread">
        ${postsOf(thread.ancestors).map((ancestor) => renderPost(call.language, ancestor))}
        ${renderPost(call.language, post, { main: true, ...(viewer === null && { answerable: uri }) })}
      </div>
      ${replies.length > 0 ? below : ''}`,
    link: `${webfingerLink(call, post.account)}, <${uri}>; rel="alternate"; type="application/activity+json"`,
    head: html`<link rel="alternate" type="application/activity+json" href="${uri}" />
      ${embeddingLink(call, post)}`,
    preview: await previewOf(call, post),
  })
}

/** Where other sites learn how to embed the post (https://oembed.com, section 4): what strangers may not see has none. */
function embeddingLink(call: PageCall, post: Status): Html | string {
  if (post.visibility !== 'public' && post.visibility !== 'unlisted') return ''
  const { config } = call.ctx
  const url = encodeURIComponent(statusUrl(config, post.account.username, asId<StatusId>(post.id)))
  const href = `${config.baseUrl}/api/oembed?format=json&url=${url}`
  return html`<link rel="alternate" type="application/json+oembed" href="${href}" />`
}

const shortened = (thread: Thread): Thread => ({
  ...thread,
  ancestors: thread.ancestors.slice(-max.ancestors),
  descendants: thread.descendants.slice(0, max.descendants),
})

function headingOf({ language }: PageCall, post: Status): string {
  return `${titleOf(post.account)}: ${summaryOf(post, 80) || countMedia(language, post.media_attachments)}`
}

/** Media are left out of previews when the author veils them. */
async function previewOf(call: PageCall, post: Status): Promise<Preview> {
  const settings = await getSettings(call.ctx)
  const veiled = post.sensitive || post.spoiler_text !== ''
  return {
    url: statusUrl(call.ctx.config, post.account.username, asId<StatusId>(post.id)),
    type: 'article',
    description: describePost(call.language, post),
    image: post.account.avatar_static,
    media: veiled ? [] : post.media_attachments,
    published: post.created_at,
    modified: post.edited_at,
    noindex: settings.noindex || post.account.noindex === true || post.visibility !== 'public',
  }
}

/** The one page that other sites may frame: it looks at no cookie and shows what strangers see (CNT-22). */
async function showEmbed(call: PageCall): Promise<Response> {
  const stranger: PageCall = { ...call, viewer: null }
  const refused = refuseStranger(stranger)
  if (refused) throw notFound()
  const post = await getShownPost(stranger, null)
  if (post.reblog) throw notFound()
  const response = await renderPage(stranger, {
    title: headingOf(call, post),
    body: html`<h1 class="spoken">${headingOf(call, post)}</h1>
      ${renderPost(call.language, post, { main: true })}
      <p class="origin"><a href="/">${call.ctx.config.localDomain}</a></p>`,
    layout: 'embed',
    head: html`<base target="_blank" /> <meta name="robots" content="noindex" />`,
  })
  response.headers.set('cache-control', cachingOf(stranger))
  return response
}

export const pages: readonly Page[] = [
  {
    method: 'GET',
    path: '/:handle{@[^/]+}/:id{[0-9]+}',
    app: postView,
    replicated: true,
    handle: showStatus,
  },
  { method: 'GET', path: '/:handle{@[^/]+}/:id{[0-9]+}/embed', handle: showEmbed },
  {
    method: 'GET',
    path: '/users/:username/statuses/:id{[0-9]+}',
    handle: async (call) => {
      const username = encodeURIComponent(textParam(call.params, 'username'))
      return movedTo(`/@${username}/${textParam(call.params, 'id')}`)
    },
  },
]
