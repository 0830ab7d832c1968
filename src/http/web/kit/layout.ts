// The frame of every page: head, header and the headers that keep scripts, frames and foreign hosts out.
import { html, raw } from 'hono/html'
import { isStaff } from '#domain/identity/accounts/permissions.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { Config, Ctx } from '#ports/ctx.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { publicStylesheetUrl, stylesheetUrl } from './assets.ts'
import { renderRoot, renderThemeColors } from './look.ts'
import { hiddenFields } from './form.ts'
import type { Browser } from './session.ts'
import { renderSettingsNav } from './settings-nav.ts'
import { findSite, type Site } from './site.ts'
import type { Html } from './html.ts'

/** What the frame shows of the request. A `PageCall` is one. */
export interface Frame {
  readonly ctx: Ctx
  readonly viewer: Viewer | null
  readonly language: Language
  readonly url?: URL | undefined
  /** Left out where no form can be shown, as in an error before the cookies were read. */
  readonly browser?: Browser | undefined
}

export interface PageContent {
  title: string
  /** What stands in the card in the middle. Templates of `hono/html` escape what is put into them. */
  body: Html
  /** 200 unless given. */
  status?: number
  /** A wide card, for lists. */
  wide?: boolean
  /**
   * `card` unless given: one card with the title in it. `column`: what the page brings. `desk`: the same, as wide as the
   * window. `embed`: no frame at all.
   */
  layout?: 'card' | 'column' | 'desk' | 'embed'
  /** Beside what the page brings. */
  aside?: Html
  /** Across the whole width, above a column. */
  hero?: Html
  /** Further elements of the head. */
  head?: Html
  /**
   * Where forms may lead besides this server, as sources of the content policy: browsers apply it to redirects
   * after the form too. `anywhere` leaves the rule out.
   */
  formTargets?: readonly string[] | 'anywhere'
  /** Hosts of a service that the operator chose, whose widget stands in the page: as sources of the content policy. */
  widgetHosts?: readonly string[]
  /** The address of a script of this server. */
  script?: string
  /** Whether a card shows pictures of people. */
  pictures?: boolean
  /** Shown to strangers: the links to sign in and to sign up. Left out on those pages themselves. */
  invite?: boolean
}

/**
 * A whole page as a response: not cached, without scripts (CNT-23), and framed by nobody (CNT-22) unless it is made
 * to be embedded.
 */
export async function renderPage(frame: Frame, content: PageContent): Promise<Response> {
  const text = await renderDocument(frame, content, await findSite(frame.ctx))
  const framing: Record<string, string> = content.layout === 'embed' ? {} : { 'x-frame-options': 'DENY' }
  return new Response(text.toString(), {
    status: content.status ?? 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': frame.language,
      'content-security-policy': contentPolicy(frame.ctx.config, content),
      'cache-control': 'private, no-store',
      // Not `no-referrer`: browsers would then send `Origin: null` with our own forms.
      'referrer-policy': 'same-origin',
      ...framing,
      vary: 'Cookie, Accept-Language',
    },
  })
}

function contentPolicy(config: Config, content: PageContent): string {
  const isCard = (content.layout ?? 'card') === 'card'
  const rules = [
    "default-src 'none'",
    ["style-src 'self'", ...(content.widgetHosts ?? [])].join(' '),
    "manifest-src 'self'",
    ...(isCard && !content.pictures ? ["img-src 'self' data:"] : mediaRules(config)),
    `frame-ancestors ${content.layout === 'embed' ? '*' : "'none'"}`,
    "base-uri 'none'",
  ]
  if (content.script !== undefined) rules.push("script-src 'self'")
  if (content.widgetHosts) {
    const hosts = content.widgetHosts.join(' ')
    rules.push(`script-src ${hosts}`, `frame-src ${hosts}`, `connect-src ${hosts}`)
  }
  // The desk looks whether somebody else decided meanwhile; programs that judge public pages read robots.txt from there.
  if (content.layout === 'desk' || content.layout === 'column') rules.push("connect-src 'self'")
  const targets = content.formTargets ?? []
  if (targets !== 'anywhere') rules.push(["form-action 'self'", ...targets].join(' '))
  return rules.join('; ')
}

/** Pictures and films of people come from this server, under whatever name it was called, or its store of media. */
export function mediaRules(config: Config, ...more: readonly string[]): string[] {
  const store = config.s3?.aliasUrl
  const hosts = new Set([config.baseUrl, ...(store ? [store] : [])].map((url) => new URL(url).origin))
  const sources = ["'self'", ...hosts, ...more].join(' ')
  return [`img-src ${sources} data:`, `media-src ${sources}`]
}

function renderDocument(frame: Frame, content: PageContent, site: Site): Html {
  const { ctx, language } = frame
  const settings = frame.viewer?.settings
  const script = content.script === undefined ? '' : html`<script src="${content.script}" defer></script>`
  return html`<!doctype html>
    <html ${renderRoot({ language, settings })}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${titleOf(content.title, site.title ?? ctx.config.localDomain)}</title>
        <link rel="icon" href="${site.icon}" sizes="48x48" />
        <link rel="apple-touch-icon" href="${site.touchIcon}" />
        <link rel="manifest" href="/manifest" />
        ${renderThemeColors(settings)}
        <link rel="stylesheet" href="${stylesheetUrl}" />
        ${
          content.layout === 'column' || content.layout === 'embed'
            ? html`<link rel="stylesheet" href="${publicStylesheetUrl}" />`
            : ''
        }
        ${site.stylesheet === null ? '' : html`<link rel="stylesheet" href="${site.stylesheet}" />`} ${script}
        ${content.head ?? ''}
      </head>
      ${content.layout === 'embed' ? renderEmbed(content) : renderBody(frame, content, site)}
    </html>`
}

/** As the app names its views. */
const titleOf = (title: string, site: string) => (title === site ? site : `${title} · ${site}`)

const renderEmbed = (content: PageContent) =>
  html`<body class="embed">
    <main>${content.body}</main>
  </body>`

function renderBody(frame: Frame, content: PageContent, site: Site): Html {
  const t = textsIn(frame.language).pages.common
  const nav =
    frame.viewer && frame.url
      ? renderSettingsNav(
          { viewer: frame.viewer, config: frame.ctx.config },
          frame.language,
          frame.url.pathname,
        )
      : ''
  const main =
    content.layout === 'desk'
      ? renderDesk(content)
      : content.layout === 'column'
        ? renderColumn(content)
        : renderCard(content)
  return html`<body>
    <a class="skip" href="#main">${t.skip}</a>
    <header class="top">
      <a class="brand" href="/"
        ><img class="mark" src="${site.mark}" alt="" width="32" height="32" /><span dir="auto"
          >${frame.ctx.config.localDomain}</span
        ></a
      >
      ${renderMenu(frame, content.invite ?? false)}
    </header>
    ${nav === '' ? main : html`<div class="beside">${nav} ${main}</div>`} ${renderFooter(frame.language)}
  </body>`
}

const renderColumn = (content: PageContent) =>
  html`<main id="main" tabindex="-1">
    ${content.hero ?? ''}
    <div class="column">${content.body}</div>
  </main>`

const renderDesk = (content: PageContent) =>
  html`<div class="desk">
    ${content.aside ?? ''}
    <main id="main" tabindex="-1">${content.body}</main>
  </div>`

const renderCard = (content: PageContent) =>
  html`<main id="main" tabindex="-1" class="card${raw(content.wide ? ' wide' : '')}">
    <h1>${content.title}</h1>
    ${content.body}
  </main>`

function renderMenu(frame: Frame, invite: boolean): Html | string {
  const t = textsIn(frame.language).pages.common
  if (frame.viewer && frame.browser) {
    return html`<nav class="mine" aria-label="${t.menu}">
      ${isStaff(frame.viewer) ? html`<a href="/admin">${t.desk}</a>` : ''}<a href="/settings"
        >${t.settings}</a
      >
      <form method="post" action="/auth/sign_out">
        ${hiddenFields(frame.ctx, frame.browser)}
        <button class="quiet" type="submit" title="${t.signedInAs({ name: frame.viewer.username })}">
          ${t.signOut}
        </button>
      </form>
    </nav>`
  }
  if (!invite) return ''
  return html`<nav aria-label="${t.menu}">
    <a href="/auth/sign_in">${t.signIn}</a><a href="/auth/sign_up">${t.signUp}</a>
  </nav>`
}

function renderFooter(language: Language): Html {
  const t = textsIn(language).pages.public
  return html`<footer class="foot">
    <nav aria-label="${t.aboutTitle}">
      <a href="/about">${t.about}</a>
      <a href="/privacy-policy">${t.privacy}</a>
      <a href="/docs">${t.docs}</a>
      <a href="/api/openapi.json">${t.api}</a>
    </nav>
    <p>${t.federated}</p>
  </footer>`
}

/** Sends the browser on. `303` after a form, so that a reload does not send the form again. */
export function redirectTo(target: string, status: 302 | 303 = 303): Response {
  const headers = { location: target, 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' }
  return new Response(null, { status, headers })
}
