import { randomUUID } from 'node:crypto'
import type { Mail } from '#ports/mailer.ts'
import { escapeHtml } from '#lib/html/html.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import type { Messages } from '#lib/messages/messages.ts'
import { languageOf } from '#lib/messages/pick-language.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { cleanName } from '#lib/text/sanitize-name.ts'
import { truncatePlain } from '#lib/text/text.ts'
import { quote, type Block, type Draft, type MailContent } from './mails.ts'
import { writeMail } from './write-mail.ts'

export interface MailSite {
  /** The domain in handles. */
  domain: string
  baseUrl: string
  /** As the operator wrote it. */
  title: string
}

/** How a mail hangs together with others. */
export interface MailThread {
  /** What it is about, such as `report.12`: sent again, it is known to be the same mail. Random when left out. */
  id?: string
  /** What it answers, such as `conversation.12`: mails of one conversation stand together. */
  inReplyTo?: string
  list?: MailList
}

/** Mails that people can switch off. */
export interface MailList {
  /** Which mails, such as `mention.alice`. */
  name: string
  /** Where a POST stops them, and a GET asks (RFC 8058). */
  unsubscribeUrl: string
  /** Where people choose which mails they get. */
  settingsUrl: string
}

/** A mail's content as a mail without its recipient, in the user's language. */
export function renderMail(
  content: MailContent,
  locale: string,
  site: MailSite,
  thread: MailThread = {},
): Omit<Mail, 'to'> {
  const language = languageOf(locale)
  const t = textsIn(language).mails
  const draft = writeMail(content, language, site.domain)
  const shell = {
    language,
    greeting: t.greeting({ username: content.username }),
    footer: t.footer({ site: `${quote(site.title)} (${site.baseUrl})` }),
    links: thread.list ? listLinks(thread.list, t) : [],
  }
  return {
    subject: draft.subject,
    text: toText(draft, shell),
    html: toHtml(draft, shell),
    headers: {
      'Content-Language': language,
      'X-Auto-Response-Suppress': 'All',
      ...threadHeaders(thread, site),
    },
  }
}

/** Names of messages and lists are of this host: RFC 5322 section 3.6.4, RFC 2919. A port has no place in them. */
function threadHeaders(thread: MailThread, site: MailSite): Record<string, string> {
  const host = new URL(site.baseUrl).hostname.replaceAll(/[[\]]/g, '').replaceAll(':', '-')
  const idOf = (name: string) => `<${name}@${host}>`
  const answers = thread.inReplyTo && idOf(thread.inReplyTo)
  return {
    'Message-ID': idOf(thread.id ?? randomUUID()),
    ...(answers && { 'In-Reply-To': answers, References: answers }),
    ...(thread.list && listHeaders(thread.list, host)),
  }
}

function listHeaders(list: MailList, host: string): Record<string, string> {
  return {
    'List-ID': `<${list.name}.${host}>`,
    'List-Unsubscribe': `<${list.unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    Precedence: 'list',
  }
}

interface Link {
  label: string
  url: string
}

interface Shell {
  language: Language
  greeting: string
  footer: string
  links: Link[]
}

function listLinks(list: MailList, t: Messages['mails']): Link[] {
  return [
    { label: t.stop, url: list.unsubscribeUrl },
    { label: t.settings, url: list.settingsUrl },
  ]
}

function toText(draft: Draft, shell: Shell): string {
  const link = draft.link ? [`${draft.link.label}:\n${draft.link.url}`] : []
  const before = draft.before.map((block) => blockToText(block, shell.language))
  const footer = [shell.footer, ...shell.links.map(({ label, url }) => `${label}: ${url}`)].join('\n')
  return `${[shell.greeting, ...before, ...link, ...draft.after, `-- \n${footer}`].join('\n\n')}\n`
}

function blockToText(block: Block, language: Language): string {
  if (typeof block === 'string') return block
  if ('facts' in block) return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n')
  const lines = block.quoted === '' ? [] : quotedLines(block.quoted).map((line) => `> ${line}`.trimEnd())
  const warning = block.warning
    ? [`> [${textsIn(language).mails.contentWarning}: ${quote(block.warning)}]`]
    : []
  return [...(block.by ? [`${block.by}:`] : []), ...warning, ...lines].join('\n')
}

const maxQuotedLength = 1000
const maxLines = 40

/** Words of others keep their lines; nothing in one reaches out of it (CNT-9). */
function quotedLines(text: string): string[] {
  const lines = truncatePlain(text, maxQuotedLength).split('\n').map(cleanName)
  return lines.length <= maxLines ? lines : [...lines.slice(0, maxLines), '…']
}

const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`

function toHtml(draft: Draft, shell: Shell): string {
  const link = draft.link ? [renderLink(draft.link)] : []
  const parts = [
    paragraph(shell.greeting),
    ...draft.before.map((block) => blockToHtml(block, shell.language)),
    ...link,
    ...draft.after.map(paragraph),
  ]
  return `<!doctype html>
<html lang="${shell.language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(draft.subject)}</title></head>
<body style="margin:0;padding:24px;background:#f3f1ec;color:#23211d;font:16px/1.5 sans-serif">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:12px">
${parts.join('\n')}
<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #e4e0d8;${small}">${renderFooter(shell)}</p>
</div>
</body>
</html>
`
}

const small = 'color:#6a655b;font-size:13px'

function renderFooter(shell: Shell): string {
  const links = shell.links.map(
    ({ label, url }) => `<a href="${escapeHtml(url)}" style="color:#6a655b">${escapeHtml(label)}</a>`,
  )
  return [escapeHtml(shell.footer), ...links].join('<br>\n')
}

function blockToHtml(block: Block, language: Language): string {
  if (typeof block === 'string') return paragraph(block)
  if ('facts' in block) return renderFacts(block.facts)
  const by = block.by ? [`<strong>${escapeHtml(block.by)}</strong>`] : []
  const warning = block.warning
    ? [`<em>${escapeHtml(`${textsIn(language).mails.contentWarning}: ${quote(block.warning)}`)}</em>`]
    : []
  const text = block.quoted === '' ? [] : quotedLines(block.quoted).map(escapeHtml)
  const style = 'margin:0 0 16px;padding:2px 0 2px 14px;border-left:3px solid #a8481c;overflow-wrap:anywhere'
  return `<blockquote dir="auto" style="${style}">${[...by, ...warning, ...text].join('<br>\n')}</blockquote>`
}

function renderFacts(facts: readonly (readonly [string, string])[]): string {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td style="padding:2px 16px 2px 0;${small}">${escapeHtml(name)}</td><td>${escapeHtml(value)}</td></tr>`,
  )
  return `<table style="margin:0 0 16px;border-collapse:collapse">${rows.join('')}</table>`
}

function renderLink({ label, url }: Link): string {
  const style = 'display:inline-block;padding:10px 18px;border-radius:8px;background:#a8481c;color:#ffffff'
  const shown = `<a href="${escapeHtml(url)}" style="${style};text-decoration:none">${escapeHtml(label)}</a>`
  const plain = `<span style="${small}">${escapeHtml(url)}</span>`
  return `<p style="margin:0 0 16px">${shown}</p>\n<p style="margin:0 0 16px;overflow-wrap:anywhere">${plain}</p>`
}
