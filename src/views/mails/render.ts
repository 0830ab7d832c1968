import { escapeHtml } from '#lib/html.ts'
import type { Mail } from '#ports/mailer.ts'
import { pickMailLanguage, quote, writeLetter, type Draft, type Letter } from './letters.ts'

export interface MailSite {
  /** The domain in handles. */
  domain: string
  baseUrl: string
  /** As the operator wrote it. */
  title: string
}

const greetings = { en: (name: string) => `Hello @${name},`, de: (name: string) => `Hallo @${name},` }
const footers = {
  en: (site: string) => `This mail was sent by ${site}.`,
  de: (site: string) => `Diese Mail kommt von ${site}.`,
}

/** A letter as a mail without its recipient, in the user's language. */
export function renderMail(letter: Letter, locale: string, site: MailSite): Omit<Mail, 'to'> {
  const language = pickMailLanguage(locale)
  const draft = writeLetter(letter, language, site.domain)
  const shell = {
    greeting: greetings[language](letter.username),
    footer: footers[language](`${quote(site.title)} (${site.baseUrl})`),
  }
  return {
    subject: draft.subject,
    text: toText(draft, shell),
    html: toHtml(draft, shell, language),
    headers: { 'Content-Language': language, 'X-Auto-Response-Suppress': 'All' },
  }
}

interface Shell {
  greeting: string
  footer: string
}

function toText(draft: Draft, shell: Shell): string {
  const link = draft.link ? [`${draft.link.label}:\n${draft.link.url}`] : []
  return `${[shell.greeting, ...draft.before, ...link, ...draft.after, `-- \n${shell.footer}`].join('\n\n')}\n`
}

const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`

function toHtml(draft: Draft, shell: Shell, language: string): string {
  const link = draft.link ? [renderLink(draft.link)] : []
  const parts = [
    paragraph(shell.greeting),
    ...draft.before.map(paragraph),
    ...link,
    ...draft.after.map(paragraph),
  ]
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escapeHtml(draft.subject)}</title></head>
<body style="margin:0;padding:24px;background:#f3f1ec;color:#23211d;font:16px/1.5 sans-serif">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:12px">
${parts.join('\n')}
<p style="margin:24px 0 0;color:#6a655b;font-size:13px">${escapeHtml(shell.footer)}</p>
</div>
</body>
</html>
`
}

function renderLink({ label, url }: { label: string; url: string }): string {
  const style = 'display:inline-block;padding:10px 18px;border-radius:8px;background:#a8481c;color:#ffffff'
  const shown = `<a href="${escapeHtml(url)}" style="${style};text-decoration:none">${escapeHtml(label)}</a>`
  const plain = `<span style="color:#6a655b;font-size:13px">${escapeHtml(url)}</span>`
  return `<p style="margin:0 0 16px">${shown}</p>\n<p style="margin:0 0 16px;overflow-wrap:anywhere">${plain}</p>`
}
