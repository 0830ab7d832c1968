// The one document of the app: no inline script, its data in a block that nobody but the session's owner gets.
import { html, raw } from 'hono/html'
import type { Messages } from '#lib/messages/messages.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { Config, Ctx } from '#ports/ctx.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import type { UserSettings } from '#domain/identity/accounts/viewer.ts'
import { mediaRules } from '../kit/layout.ts'
import { renderRoot, renderThemeColors } from '../kit/look.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { findSite } from '../kit/site.ts'
import type { AppBuild } from './build.ts'
import { emptyStart, makeStart, players, type Start } from './start.ts'

/**
 * Whether a browser opens the address as a page. What scripts, frames or other sites fetch is no document and gets no
 * token (AUTH-22); browsers that do not say so are taken at their word.
 */
function isOpened(request: Request): boolean {
  const destination = request.headers.get('sec-fetch-dest')
  const accepted = request.headers.get('accept') ?? ''
  return (destination === null || destination === 'document') && /\btext\/html\b/.test(accepted)
}

/**
 * Returns the app for whoever is signed in, with the answers of these operations; null where the plain page is to be
 * shown, as to those who ask for it by `?plain`.
 */
export async function renderApp(
  build: AppBuild,
  call: PageCall,
  begin: NonNullable<Page['app']>,
): Promise<Response | null> {
  if (!call.viewer || call.viewer.refusal || call.url.searchParams.has('plain')) return null
  if (!isOpened(call.request)) return null
  const paths = await begin(call)
  if (paths instanceof Response) return paths
  const start = await makeStart(call, paths)
  const about = { ctx: call.ctx, language: call.language, settings: call.viewer.settings }
  const query = call.url.searchParams
  return start && (await respond(build, about, { start, query, status: isMissing(paths, start) ? 404 : 200 }))
}

/**
 * Whether what the address is about is not there. Who is unknown here may still be found on their own server, and of a link
 * that nobody has posted there are no posts.
 */
function isMissing([about]: readonly string[], { answers }: Start): boolean {
  if (about === undefined) return false
  return answers[about]?.status === 404 && !/[?&](?:acct=[^&]*%40|url=)/.test(about)
}

interface About {
  readonly ctx: Ctx
  readonly language: Language
  /** How it looks. */
  readonly settings: UserSettings | undefined
}

/** The app without anybody's data, which a service worker keeps for when there is no network. */
export async function renderShell(build: AppBuild, about: About): Promise<Response> {
  const response = await respond(build, about, {
    start: emptyStart(about.ctx.config, about.language),
    query: new URLSearchParams(),
    status: 200,
  })
  response.headers.set('cache-control', 'no-cache')
  return response
}

interface Shown {
  readonly start: Start
  /** Of the address. */
  readonly query: URLSearchParams
  readonly status: 200 | 404
}

async function respond(
  build: AppBuild,
  { ctx, language, settings }: About,
  { start, query, status }: Shown,
): Promise<Response> {
  const site = await findSite(ctx)
  const t = textsIn(language).pages.app
  const texts = build.texts[language]
  const document = html`<!doctype html>
    <html ${renderRoot({ language, settings })}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        ${renderThemeColors(settings)}
        <title>${site.title ?? ctx.config.localDomain}</title>
        <meta name="description" content="${site.description || ctx.config.localDomain}" />
        <link rel="icon" href="${site.icon}" sizes="48x48" />
        <link rel="manifest" href="/manifest" />
        <link rel="stylesheet" href="${build.stylesheet}" />
        ${texts === undefined ? '' : html`<link rel="modulepreload" href="${texts}" />`}
        <script type="module" src="${build.script}"></script>
        ${site.stylesheet === null ? '' : html`<link rel="stylesheet" href="${site.stylesheet}" />`}
      </head>
      <body>
        <div id="app"></div>
        ${renderLost(t, query)}
        <noscript>
          <p>${t.needsScripts} <a href="?plain">${t.plainPage}</a> · <a href="/settings">${t.settings}</a></p>
        </noscript>
        <script type="application/json" id="start">
          ${raw(jsonInHtml(start))}
        </script>
      </body>
    </html>`
  return new Response((await document).toString(), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': language,
      'content-security-policy': contentPolicy(ctx.config),
      'cache-control': 'private, no-store',
      'cross-origin-resource-policy': 'same-origin',
      // No window of another site holds on to this one.
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      vary: 'Cookie, Accept, Accept-Language, Sec-Fetch-Dest',
    },
  })
}

/**
 * What is shown where the app did not start, for want of its scripts or of its texts: no script is needed for it. See
 * client/src/layout/lost.ts.
 */
const renderLost = (t: Messages['pages']['app'], query: URLSearchParams) => html`
  <main id="lost">
    <div role="alert">
      <h1>${t.lost}</h1>
      <form>
        ${[...query].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <button>${t.retry}</button>
      </form>
    </div>
  </main>
`

/** No text ends the block or opens a comment in it. */
const jsonInHtml = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

/** Scripts of this server alone, none inline, and no text becomes one: parsers want what the app's own policy made. */
function contentPolicy(config: Config): string {
  const streams = new URL(config.streamingBaseUrl).origin
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    ...mediaRules(config, 'blob:'),
    `connect-src 'self' ${streams}`,
    `frame-src ${players.join(' ')}`,
    "frame-ancestors 'none'",
    "form-action 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types stonechat',
  ].join('; ')
}
