// What the pages about second factors share: who may see them, who may change something, and what they say at the end.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { readProof, type Proof } from '#domain/identity/two-factor/proofs.ts'
import type { TurnedOn } from '#domain/identity/two-factor/otp.ts'
import { redirectTo, renderPage } from '#http/web/kit/layout.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { returnPath, signInPath, withReturn } from '#http/web/kit/return-to.ts'
import { holderOf } from '#http/web/kit/session.ts'
import type { Html } from '#http/web/kit/html.ts'
import { textsIn } from '#lib/messages/texts.ts'

export const factorsPath = '/settings/two-factor'

/** Everybody with a session, also those whose account moved away or waits: it is their login. */
export const forViewer =
  (work: (call: PageCall, viewer: Viewer) => Promise<Response>): Page['handle'] =>
  async (call) =>
    call.viewer ? work(call, call.viewer) : redirectTo(signInPath(factorsPath), 302)

/** Who has just given their password: they may change something. */
export type Proven = Proof & { username: string }

export function findProof(call: PageCall, viewer: Viewer): Proven | null {
  const proof = readProof(call.ctx, holderOf(call.browser), viewer.userId, call.browser.tickets.proof ?? '')
  return proof && { ...proof, username: viewer.username }
}

/** Runs a page for who has just given their password; others are asked for it. */
export const forProven = (work: (call: PageCall, who: Proven) => Promise<Response>): Page['handle'] =>
  forViewer(async (call, viewer) => {
    const who = findProof(call, viewer)
    if (who) await call.limits.count('second-factor-change', who.userId)
    return who ? work(call, who) : leadBack(call, 'locked')
  })

/** What the page about all factors says above. */
export type Notice = 'locked' | 'needed' | 'passkeyFailed' | 'passkeyTooMany'
export const noticeName = 'notice'

export function leadBack(call: PageCall, notice?: Notice): Response {
  const path = withReturn(call, factorsPath)
  if (notice === undefined) return redirectTo(path)
  return redirectTo(`${path}${path.includes('?') ? '&' : '?'}${noticeName}=${notice}`)
}

/** After a factor was turned on: the recovery codes, when they came to be with it. */
export function renderTurnedOn(call: PageCall, { codes }: TurnedOn): Promise<Response> {
  const t = textsIn(call.language).pages.twoFactor
  const done = html`<p class="notice" role="status">${t.addedDone}</p>`
  return renderCodes(call, { title: t.doneTitle, codes, before: done })
}

/** Recovery codes are shown this once. */
export function renderCodes(
  call: PageCall,
  shown: { title: string; codes: readonly string[] | null; before?: Html },
): Promise<Response> {
  const t = textsIn(call.language).pages.twoFactor
  const codes = shown.codes
    ? html`<h2>${t.codesTitle}</h2>
        <p>${t.codesOnce}</p>
        <ol class="codes">
          ${shown.codes.map((code) => html`<li><code>${code}</code></li>`)}
        </ol>`
    : ''
  const next = returnPath(call) === '/' ? factorsPath : returnPath(call)
  const body = html`${shown.before ?? ''} ${codes}
    <p><a class="button" href="${next}">${t.goOn}</a></p>`
  return renderPage(call, { title: shown.title, body })
}

export function dayText(call: PageCall, time: Date): string {
  return time.toLocaleDateString(call.language, { dateStyle: 'medium', timeZone: 'UTC' })
}
