// What is switched on in the browser that one sits at: notifications that are pushed to it, and links that it opens here.
// Only the browser itself can be asked, so that this part needs scripts; it offers what the browser can do.
import { html } from 'hono/html'
import { getSessionToken } from '#domain/identity/oauth/session-token.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { documentedAlerts } from '#domain/reading/push/rules.ts'
import { renderPart } from '#http/web/kit/controls.ts'
import { renderForm, textParam } from '#http/web/kit/form.ts'
import type { Html } from '#http/web/kit/html.ts'
import { redirectTo } from '#http/web/kit/layout.ts'
import type { PageCall } from '#http/web/kit/page.ts'
import { signInPath } from '#http/web/kit/return-to.ts'
import { unprocessable } from '#lib/errors.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { fediverseSchemes } from '#views/server/site-images.ts'
import { leadToSaved } from '../settings-page.ts'

const path = '/settings/notifications'
export const devicesPath = '/settings/notifications/devices'

export function renderThisBrowser(call: PageCall): Html {
  const t = textsIn(call.language).pages.settings.browser
  const form = renderForm(call, {
    action: devicesPath,
    hidden: { endpoint: '', p256dh: '', auth: '' },
    fields: [],
    submit: t.push,
    quiet: true,
    data: { key: call.ctx.secrets.vapid.publicKey },
  })
  return renderPart({
    id: 'browser',
    title: t.title,
    fields: [
      html`<noscript><p>${t.needsScripts}</p></noscript>`,
      html`<div hidden>
        ${form}
        <p class="problem" role="alert" hidden>${t.failed}</p>
      </div>`,
      html`<div hidden>
        <p>${t.linksHint}</p>
        <button type="button" class="quiet" data-links="${fediverseSchemes.join(' ')}">${t.links}</button>
      </div>`,
    ],
  })
}

/** By the operation of the API that apps use, with the token of this session: it ends when somebody signs out here. */
export async function addThisBrowser(call: PageCall, viewer: Viewer): Promise<Response> {
  const { ctx, browser, params } = call
  if (!browser.session) return redirectTo(signInPath(path))
  const session = { id: browser.session.id, userId: viewer.userId, secret: browser.formSecret }
  const token = await getSessionToken(ctx, session)
  if (token === null) return redirectTo(signInPath(path))
  const [endpoint, p256dh, auth] = ['endpoint', 'p256dh', 'auth'].map((name) => textParam(params, name))
  const response = await call.ask('/api/v1/push/subscription', token, {
    subscription: { endpoint, keys: { p256dh, auth }, standard: true },
    data: { alerts: Object.fromEntries(documentedAlerts.map((kind) => [kind, true])) },
  })
  if (!response.ok) throw unprocessable('form_incomplete')
  return leadToSaved(path)
}
