// The frame of pages that everyone may see: what they may be cached for, who is looking, what other sites show of them.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { Config } from '#ports/ctx.ts'
import { unauthorized } from '#lib/errors.ts'
import { redirectTo, renderPage, type PageContent } from '../kit/layout.ts'
import type { PageCall } from '../kit/page.ts'
import { renderPreview, type Preview } from './preview.ts'
import { signInPath } from '../kit/return-to.ts'
import type { Html } from '../kit/html.ts'

export interface PublicPage extends Pick<PageContent, 'title' | 'status' | 'hero'> {
  body: Html
  preview?: Preview
  /** Further elements of the head. */
  head?: Html | string
  /** `Link` header. */
  link?: string
}

/** How long a shared cache may keep what strangers see. A deleted post is gone from pages within this time. */
const sharedFor = 'public, max-age=15, stale-while-revalidate=15'

/** Who is looking. Those whose login is not in order yet see what strangers see. */
export function readerOf(call: PageCall): Viewer | null {
  return call.viewer?.refusal ? null : call.viewer
}

/** Whether this server shows nothing to strangers. */
export function isClosed(config: Config): boolean {
  return config.limitedFederation || config.disallowUnauthenticatedApi
}

/** Sends strangers to the sign-in page where a closed server or a preview that is off does not let them look. */
export function refuseStranger(call: PageCall, needsPreview = false): Response | null {
  if (!isHidden(call, needsPreview)) return null
  return redirectTo(signInPath(call.url.pathname + call.url.search), 302)
}

/** As `refuseStranger`, for what programs read. Throws `unauthorized`. */
export function assertShown(call: PageCall, needsPreview = false): void {
  if (isHidden(call, needsPreview)) throw unauthorized('only_signed_in')
}

function isHidden(call: PageCall, needsPreview: boolean): boolean {
  if (readerOf(call)) return false
  return isClosed(call.ctx.config) || (needsPreview && !call.ctx.config.timelinePreview)
}

/** The page. Strangers' pages may be kept by shared caches: they set no cookie and hold no form. */
export async function renderPublicPage(call: PageCall, page: PublicPage): Promise<Response> {
  const response = await renderPage(call, {
    ...page,
    layout: 'column',
    invite: true,
    head: html`${page.preview ? renderPreview(call, page.title, page.preview) : ''} ${page.head ?? ''}`,
  })
  response.headers.set('cache-control', cachingOf(call))
  if (page.link) response.headers.set('link', page.link)
  return response
}

/** What may keep an answer: nobody when it was made for somebody. */
export function cachingOf(call: PageCall): string {
  return call.viewer || isClosed(call.ctx.config) ? 'private, no-store' : sharedFor
}
