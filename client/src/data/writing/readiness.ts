// What may be published, by the limits of the server.
import { instance } from '../session.ts'
import { isBlank, type Content, type WrittenPost } from './content.ts'
import type { Piece } from './piece.ts'
import { replyRefusal } from './policies.ts'
import { countCharacters } from './count.ts'

export const limits = () => instance.value.data?.configuration

/** How many characters a post may still have; below zero when it is too long. */
export function charactersLeft({ text, warning }: WrittenPost): number {
  const { max_characters: max = 500, characters_reserved_per_url: urlLength = 23 } = limits()?.statuses ?? {}
  return max - countCharacters(text.trim(), urlLength) - countCharacters((warning ?? '').trim(), urlLength)
}

/** Whether an option of a poll says what one above it says: the server wants them to differ. */
export const isRepeated = (options: readonly string[], index: number): boolean => {
  const words = options[index]?.trim() ?? ''
  return words !== '' && options.slice(0, index).some((option) => option.trim() === words)
}

const isWhole = ({ poll, media, ...post }: WrittenPost): boolean => {
  const asked = poll?.options.filter((option) => option.trim() !== '') ?? []
  return (
    charactersLeft({ poll, media, ...post }) >= 0 &&
    media.every(({ problem }) => problem === null) &&
    (poll === null ||
      (asked.length >= 2 && media.length === 0 && !asked.some((_, index) => isRepeated(asked, index))))
  )
}

/** Blank posts of a thread are left out. Who answers where they may not does so in vain, but may change what they said. */
export function isReady({ content, place }: Pick<Piece, 'content' | 'place'>): boolean {
  const { posts, quotedId, replyTo } = content.value
  if (replyTo && !place.startsWith('edit:') && replyRefusal(replyTo) !== null) return false
  const said = posts.filter((post) => !isBlank(post))
  return (said.length > 0 || quotedId !== null) && said.every(isWhole)
}

export const mediaWithoutDescription = ({ posts }: Content): number =>
  posts.flatMap(({ media }) => media).filter(({ description }) => description.trim() === '').length
