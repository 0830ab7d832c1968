// `/authorize_interaction`: other servers send people here, home, to follow or favour what they saw there.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { followAccount } from '#domain/social/relationships/follow.ts'
import { hasFollowOrRequest } from '#domain/social/relationships/queries.ts'
import { resolveNamed } from '#domain/reading/search/resolve-named.ts'
import { findNamed } from '#domain/reading/search/find-named.ts'
import { favouriteStatus } from '#domain/content/statuses/interactions/favourite.ts'
import { reblogStatus } from '#domain/content/statuses/interactions/reblog.ts'
import { unprocessable } from '#lib/errors.ts'
import { isId } from '#lib/ids.ts'
import { viewAccount } from '#views/identity/accounts.ts'
import { viewStatus } from '#views/content/statuses.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderRichText } from '../kit/emojify.ts'
import { renderForm, textParam } from '../kit/form.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import { renderMessage } from '../kit/message.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { nameOf, renderPost } from './post.ts'
import { renderName } from './post-parts.ts'
import type { Html } from '../kit/html.ts'
import { signInPath } from '../kit/return-to.ts'
import { asId, type AccountId, type StatusId } from '#lib/id.ts'

const path = '/authorize_interaction'

/** Goes on with whoever is signed in and may act. */
async function withViewer(call: PageCall, goOn: (viewer: Viewer) => Promise<Response>): Promise<Response> {
  const { viewer } = call
  if (!viewer)
    return redirectTo(
      signInPath(`${path}?${new URLSearchParams({ uri: textParam(call.params, 'uri') })}`),
      302,
    )
  if (viewer.refusal === null) return goOn(viewer)
  const t = textsIn(call.language).pages.signIn
  return renderMessage(call, { title: t.title, message: t[viewer.refusal], status: 403 })
}

/** Without the scheme that says that it is one of the fediverse: `web+ap://server.example/@name`, `acct:name@server.example`. */
const plainAddress = (uri: string): string =>
  uri
    .trim()
    .replace(/^web\+(?:ap|activitypub):(?:\/\/)?(?=https?:\/\/)/i, '')
    .replace(/^web\+(?:ap|activitypub):\/\//i, 'https://')
    .replace(/^web\+(?:ap|activitypub):/i, '')
    .replace(/^acct:/i, '')

/** The account or post that an address or a handle names, fetched when it is not known. */
async function show(call: PageCall, viewer: Viewer): Promise<Response> {
  const text = plainAddress(textParam(call.params, 'uri'))
  const resolved = await resolveNamed(call.ctx, viewer.accountId, text)
  const named = resolved ?? (await findNamed(call.ctx, text))
  if (named?.kind === 'account') return showAccount(call, viewer, named.id)
  if (named?.kind === 'status') return showStatus(call, viewer, named.id)
  const t = textsIn(call.language).pages.interact
  return renderMessage(call, { title: t.missingTitle, message: t.missing, status: 404 })
}

async function showAccount(call: PageCall, viewer: Viewer, id: AccountId): Promise<Response> {
  const t = textsIn(call.language).pages.interact
  const account = await viewAccount(call.ctx, id)
  const isFollowed = id === viewer.accountId || (await hasFollowOrRequest(call.ctx, viewer.accountId, id))
  const body = html`<h1>${t.title}</h1>
    <p class="soft">${t.hint({ name: viewer.username })}</p>
    <section class="profile plain">
      <img
        class="face"
        src="${account.avatar_static}"
        alt="${account.avatar_description ?? ''}"
        width="112"
        height="112"
      />
      <h2>${renderName(nameOf(account), account.emojis)}</h2>
      <p class="handle">@${account.acct}</p>
      <div class="content" dir="auto">${renderRichText(account.note, account.emojis)}</div>
    </section>
    ${isFollowed ? html`<p>${t.following}</p>` : renderAct(call, { id, act: 'follow', submit: t.follow })}`
  return renderPage(call, { title: t.title, body: boxed(body), layout: 'column' })
}

/** In the middle of a page with the styles of posts and profiles. */
const boxed = (body: Html) => html`<div class="text">${body}</div>`

async function showStatus(call: PageCall, viewer: Viewer, id: StatusId): Promise<Response> {
  const t = textsIn(call.language).pages.interact
  const post = await viewStatus(call.ctx, viewer, id)
  const body = html`<h1>${t.title}</h1>
    <p class="soft">${t.hint({ name: viewer.username })}</p>
    <div class="posts">${renderPost(call.language, post)}</div>
    <p><a class="button" href="/@${post.account.acct}/${post.id}">${t.reply}</a></p>
    ${renderAct(call, { id, act: 'favourite', submit: t.favourite, quiet: true })}
    ${renderAct(call, { id, act: 'boost', submit: t.boost, quiet: true })}`
  return renderPage(call, { title: t.title, body: boxed(body), layout: 'column' })
}

function renderAct(
  call: PageCall,
  form: { id: AccountId | StatusId; act: string; submit: string; quiet?: boolean },
) {
  const { id, act, submit, quiet = false } = form
  return renderForm(call, { action: path, hidden: { id, act }, fields: [], submit, quiet })
}

async function act(call: PageCall, viewer: Viewer): Promise<Response> {
  const id = textParam(call.params, 'id')
  if (!isId(id)) throw unprocessable('form_incomplete')
  const t = textsIn(call.language).pages.interact
  const kind = textParam(call.params, 'act')
  if (kind === 'follow')
    await call.limits.spend('follows', () => followAccount(call.ctx, viewer, asId<AccountId>(id)))
  else if (kind === 'favourite') await favouriteStatus(call.ctx, viewer, asId<StatusId>(id))
  else if (kind === 'boost')
    await call.limits.spend('statuses', () => reblogStatus(call.ctx, viewer, asId<StatusId>(id)))
  else throw unprocessable('form_incomplete')
  return renderMessage(call, { title: t.done, message: kind === 'follow' ? t.asked : t.did })
}

export const pages: readonly Page[] = [
  { method: 'GET', path, handle: (call) => withViewer(call, (viewer) => show(call, viewer)) },
  { method: 'POST', path, handle: (call) => withViewer(call, (viewer) => act(call, viewer)) },
]
