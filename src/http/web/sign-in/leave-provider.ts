// Signing out at the provider too, where it alone lets people in: otherwise whoever comes to this browser next presses one
// button and is in.
import { html } from 'hono/html'
import { listIdentities } from '#domain/identity/identities/identities.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { UserId } from '#lib/id.ts'
import { renderPage } from '../kit/layout.ts'
import type { PageCall } from '../kit/page.ts'

interface WayOut {
  provider: string
  url: string
}

/** Returns where somebody signs out at the provider who let them in; null where people have other ways in, or it cannot be asked. */
export async function findWayOut({ ctx }: PageCall, userId: UserId): Promise<WayOut | null> {
  if (!ctx.config.signIn.onlyByOthers) return null
  const known = new Set((await listIdentities(ctx, userId)).map(({ provider }) => provider))
  const provider = ctx.identityProviders.find(({ name }) => known.has(name))
  const url = await provider?.leave()
  return provider && url ? { provider: provider.displayName, url } : null
}

/** By a page and not by a redirect: browsers let a form lead only to where its page says. */
export function renderLeaving(call: PageCall, { provider, url }: WayOut): Promise<Response> | Response {
  const t = textsIn(call.language).pages.identities
  return renderPage(call, {
    title: t.leftTitle,
    head: html`<meta http-equiv="refresh" content="0;url=${url}" />`,
    body: html`<p><a class="button" href="${url}" rel="noreferrer">${t.leave({ provider })}</a></p>`,
  })
}
