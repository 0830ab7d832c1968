import { parseHtml } from './trusted.ts'

/** The text of HTML as it would be read: paragraphs and breaks as lines. */
export function plainTextOf(html: string): string {
  const { body } = parseHtml(html)
  for (const end of body.querySelectorAll('br')) end.replaceWith('\n')
  for (const block of body.querySelectorAll('p, li, blockquote, pre')) block.append('\n\n')
  return (body.textContent ?? '').replaceAll(/\n{3,}/g, '\n\n').trim()
}
