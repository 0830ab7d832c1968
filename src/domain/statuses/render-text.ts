import type { Config } from '#ports/ctx.ts'
import { renderText } from '#lib/text.ts'
import { handleKey, type MentionedAccount } from './mentioned.ts'
import { profileUrl, tagUrl } from '#domain/instance/urls.ts'

/** The HTML of a local status: links, hashtags, and those mentions that were found. */
export function renderStatusText(
  config: Config,
  text: string,
  mentioned: readonly MentionedAccount[],
): string {
  const byHandle = new Map(mentioned.map((one) => [handleKey(one.username, one.domain), one]))
  const own = new Set([config.localDomain.toLowerCase(), config.webDomain.toLowerCase()])
  return renderText(text, {
    tagUrl: (name) => tagUrl(config, name),
    mentionUrl(username, domain) {
      const local = domain === null || own.has(domain.toLowerCase())
      const found = byHandle.get(handleKey(username, local ? null : domain))
      if (!found) return null
      return { url: found.url ?? profileUrl(config, found.username), label: found.username }
    },
  })
}
