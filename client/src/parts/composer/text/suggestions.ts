// What may be meant by the beginning of a mention, a tag or an emoji.
import type { Account } from '#entities/account.ts'
import type { CustomEmoji } from '#entities/emoji.ts'
import type { Search } from '#entities/search.ts'
import { get, withQuery } from '../../../api/client.ts'
import { peek, load } from '../../../data/query.ts'
import { findCharacters } from '../emoji/characters.ts'

export interface Suggestion {
  key: string
  /** What takes the place of the beginning. */
  insert: string
  kind: 'account' | 'tag' | 'emoji'
  account?: Account
  /** A picture; or the character that is meant. */
  picture?: { moving: string; still: string }
  character?: string
  name: string
}

export interface Beginning {
  sign: '@' | '#' | ':'
  text: string
  start: number
  end: number
}

const beginning = /(?:^|[^\p{L}\p{M}\p{N}_/=@#:])([@#:])([\p{L}\p{M}\p{N}_·+-]*(?:@[\p{L}\p{M}\p{N}_.-]*)?)$/u

/** What stands before the caret, if it begins something: an emoji wants two letters. */
export function beginningAt(text: string, caret: number): Beginning | null {
  const found = beginning.exec(text.slice(0, caret))
  const [, sign, typed = ''] = found ?? []
  if ((sign !== '@' && sign !== '#' && sign !== ':') || typed.length < (sign === ':' ? 2 : 1)) return null
  return { sign, text: typed, start: caret - typed.length - 1, end: caret }
}

const max = 6

/** Throws when the server does not answer, or `signal` is aborted. */
export async function suggest({ sign, text }: Beginning, signal: AbortSignal): Promise<Suggestion[]> {
  if (sign === '@') return await suggestAccounts(text, signal)
  if (sign === '#') return await suggestTags(text, signal)
  return await suggestEmoji(text)
}

async function suggestAccounts(q: string, signal: AbortSignal): Promise<Suggestion[]> {
  const path = withQuery('/api/v1/accounts/search', { q, limit: max })
  const { body } = await get<Account[]>(path, signal)
  return body.map((account) => ({
    key: account.id,
    kind: 'account',
    insert: `@${account.acct}`,
    name: account.acct,
    account,
  }))
}

async function suggestTags(q: string, signal: AbortSignal): Promise<Suggestion[]> {
  const { body } = await get<Search>(withQuery('/api/v2/search', { q, type: 'hashtags', limit: max }), signal)
  const names = body.hashtags.map(({ name }) => name)
  return names.map((name) => ({ key: name, kind: 'tag', insert: `#${name}`, name: `#${name}` }))
}

export const emojisPath = '/api/v1/custom_emojis'

async function suggestEmoji(text: string): Promise<Suggestion[]> {
  const typed = text.toLowerCase()
  await load(emojisPath)
  const customs = (peek<CustomEmoji[]>(emojisPath) ?? [])
    .filter(({ shortcode }) => shortcode.toLowerCase().includes(typed))
    .toSorted((one, other) => startsWith(other, typed) - startsWith(one, typed))
    .map(({ shortcode, url: moving, static_url: still }): Suggestion => ({
      key: shortcode,
      kind: 'emoji',
      insert: `:${shortcode}:`,
      picture: { moving, still },
      name: `:${shortcode}:`,
    }))
  const characters = (await findCharacters(typed, max)).map(({ character, name }): Suggestion => ({
    key: character,
    kind: 'emoji',
    insert: character,
    character,
    name,
  }))
  return [...customs.slice(0, max), ...characters].slice(0, max)
}

const startsWith = ({ shortcode }: CustomEmoji, typed: string) =>
  Number(shortcode.toLowerCase().startsWith(typed))
