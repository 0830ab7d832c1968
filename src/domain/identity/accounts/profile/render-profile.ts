// Bio and profile fields as HTML, made when they are saved.
import type { Config, Reader } from '#ports/ctx.ts'
import { formatAcct } from '#lib/acct.ts'
import { renderText, type RenderOptions } from '#lib/html/render-text.ts'
import { extractEntities } from '#lib/text/text.ts'
import { profileUrl, tagUrl } from '#domain/server/instance/urls.ts'
import { findNamedAccounts, isOwnDomain, type NamedAccount } from '../lookup.ts'

export interface ProfileTexts {
  /** Plain text. */
  note: string
  fields: readonly { name: string; value: string }[]
}

export interface RenderedProfile {
  noteHtml: string
  /** Of the fields' values, in their order. */
  fieldsHtml: string[]
}

/** Links, hashtags and those mentions that name known accounts become links; all else is escaped. */
export async function renderProfile(reader: Reader, texts: ProfileTexts): Promise<RenderedProfile> {
  const sources = [texts.note, ...texts.fields.map((field) => field.value)]
  const mentions = sources.flatMap((source) => extractEntities(source).mentions)
  const named = await findNamedAccounts(reader, mentions)
  return {
    noteHtml: renderText(texts.note, linkNames(reader.config, named)),
    fieldsHtml: texts.fields.map((field) =>
      renderText(field.value, {
        ...linkNames(reader.config, named, { withDomains: true }),
        withMe: true,
        multiline: false,
      }),
    ),
  }
}

/** How a text links to hashtags and to those accounts that it names. `withDomains`: handles are shown whole. */
export function linkNames(
  config: Config,
  named: readonly NamedAccount[],
  { withDomains }: { withDomains: boolean } = { withDomains: false },
): RenderOptions {
  const byHandle = new Map(named.map((account) => [key(account.username, account.domain), account]))
  return {
    tagUrl: (name) => tagUrl(config, name),
    mentionUrl(username, domain) {
      const found = byHandle.get(key(username, isOwnDomain(config, domain) ? null : domain))
      if (!found) return null
      const label = withDomains
        ? formatAcct(found.username, found.domain ?? config.localDomain)
        : found.username
      return { url: found.url ?? profileUrl(config, found.username), label }
    },
  }
}

const key = (username: string, domain: string | null) => `${username}@${domain ?? ''}`.toLowerCase()
