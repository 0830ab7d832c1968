import type { Status } from '#entities/status.ts'
import type { Account } from '#entities/account.ts'
import type { OEmbed } from '#entities/instance/discovery.ts'
import type { Ctx } from '#ports/ctx.ts'
import { readStatusUrl } from '#domain/reading/search/read-status-url.ts'
import { statusUrl } from '#domain/server/instance/urls.ts'
import { withoutShortcodes } from '#lib/text/shortcodes.ts'
import { notFound } from '#lib/errors.ts'
import { escapeHtml, stripHtml } from '#lib/html/html.ts'
import { viewStatus } from './statuses.ts'

export interface EmbedRequest {
  url: string
  /** Pixels, as far as the other site has room. */
  maxWidth?: number | undefined
  maxHeight?: number | undefined
}

const usualWidth = 400
/** A height for frames whose site names none: the frame scrolls when the post is longer. */
const usualHeight = 420
const daySeconds = 86_400
const titleLength = 80

/**
 * How another site embeds the status of an address (https://oembed.com, section 2.3.4.4, `rich`): in a frame with its
 * embeddable page, which shows what strangers see. Throws `not_found` for all else.
 */
export async function viewOEmbed(ctx: Ctx, { url, maxWidth, maxHeight }: EmbedRequest): Promise<OEmbed> {
  const id = readStatusUrl(ctx.config, url)
  if (id === null) throw notFound()
  const status = await viewStatus(ctx, null, id)
  // Handles of this server's accounts have no domain.
  if (status.reblog || status.account.acct.includes('@')) throw notFound()
  const { account } = status
  const title = titleOf(status)
  const width = positive(maxWidth) ?? usualWidth
  const height = positive(maxHeight)
  const page = `${statusUrl(ctx.config, account.username, id)}/embed`
  return {
    type: 'rich',
    version: '1.0',
    title,
    author_name: nameOf(account),
    author_url: account.url,
    provider_name: ctx.config.localDomain,
    provider_url: `${ctx.config.baseUrl}/`,
    cache_age: daySeconds,
    html: renderFrame({ page, title, width, height: height ?? usualHeight }),
    width,
    height,
  }
}

const positive = (pixels: number | undefined) => (pixels !== undefined && pixels > 0 ? pixels : null)
const nameOf = ({ display_name, username, emojis }: Account) =>
  withoutShortcodes(display_name, emojis) || username

function titleOf({ account, spoiler_text: warning, content, emojis }: Status): string {
  const text = withoutShortcodes(warning || stripHtml(content), emojis)
  const short = text.length > titleLength ? `${text.slice(0, titleLength).toWellFormed().trimEnd()}…` : text
  return `${nameOf(account)}: ${short}`
}

/** It needs no script here or there; what it may do on the other site is up to the browser's sandbox. */
function renderFrame(frame: { page: string; title: string; width: number; height: number }): string {
  const { page, title, width, height } = frame
  return `<iframe src="${escapeHtml(page)}" title="${escapeHtml(title)}" width="${width}" height="${height}" style="max-width: 100%; border: 0" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox" allowfullscreen></iframe>`
}
