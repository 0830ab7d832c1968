import { normaliseDomain } from '../acct.ts'
import { extractLinks } from './links.ts'
import { characterBefore, isWordCharacter, matchEnd, type Span, withoutOverlaps } from './text-scan.ts'

export interface MentionEntity extends Span {
  /** As written. */
  username: string
  /** Normalised ASCII domain; null when the mention names none. */
  domain: string | null
}

const nameRun = /[A-Za-z0-9_][A-Za-z0-9_.-]*/y
const hostRun = /[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_.-]*/uy
const port = /:\d{1,5}(?![\p{L}\p{N}_])/uy

/**
 * The mentions `@user` and `@user@domain` in a text, in order, none inside a link. They do not follow a word
 * character, `=` or `/`; dots and dashes that end a name are not part of it. Linear in the length of the text.
 */
export function extractMentions(text: string): MentionEntity[] {
  const mentions = scanMentions(text)
  return mentions.length === 0 ? mentions : withoutOverlaps(mentions, extractLinks(text))
}

/** As extractMentions, but also those inside links, for a caller that knows the links already. */
export function scanMentions(text: string): MentionEntity[] {
  const mentions: MentionEntity[] = []
  for (let start = text.indexOf('@'); start >= 0;) {
    const mention = canStart(text, start) ? mentionAt(text, start) : null
    if (mention) mentions.push(mention)
    start = text.indexOf('@', mention ? mention.end : start + 1)
  }
  return mentions
}

function canStart(text: string, start: number): boolean {
  const before = characterBefore(text, start)
  return before !== '=' && before !== '/' && !isWordCharacter(before)
}

function mentionAt(text: string, start: number): MentionEntity | null {
  const nameStart = start + 1
  const nameEnd = trimEnd(text, nameStart, matchEnd(nameRun, text, nameStart))
  if (nameEnd === nameStart) return null
  const username = text.slice(nameStart, nameEnd)
  const hostStart = nameEnd + 1
  const runEnd = text[nameEnd] === '@' ? matchEnd(hostRun, text, hostStart) : hostStart
  if (runEnd === hostStart) return { username, domain: null, start, end: nameEnd }
  const hostEnd = trimEnd(text, hostStart, runEnd)
  const end = matchEnd(port, text, hostEnd)
  // With a host that cannot be one, nobody is meant: certainly not the local account of that name.
  const domain = normaliseDomain(text.slice(hostStart, end))
  return domain === null ? null : { username, domain, start, end }
}

function trimEnd(text: string, start: number, end: number): number {
  while (end > start && (text[end - 1] === '.' || text[end - 1] === '-')) end -= 1
  return end
}
