// How much a draft may be. It may be more than could be published, so that nobody loses what they typed.
import type { Reader } from '#ports/ctx.ts'
import { invalid, unprocessable } from '#lib/errors.ts'
import { parseLanguage } from '#lib/text/language.ts'
import { countCharacters } from '#lib/text/text.ts'
import { isContentType } from '../publish/render-text.ts'
import { mediaOf, type DraftContent, type DraftPost } from './queries.ts'

/** Posts of a thread. */
export const maxDraftPosts = 25
/** How many times the limit of a status a post of a draft may be long, and how many times a whole draft. */
const postFactor = 10
const draftFactor = 50

/**
 * Returns what a draft keeps of this: a language and a type of text only where they are known, and one post at least. Throws
 * `invalid` for more than a draft may be.
 */
export function checkContent(reader: Pick<Reader, 'config'>, input: DraftContent): DraftContent {
  const { limits } = reader.config
  const posts = input.posts.length > 0 ? input.posts : [{ text: '' }]
  if (posts.length > maxDraftPosts) throw unprocessable('draft_too_many_posts', { max: maxDraftPosts })
  const lengths = posts.map((post) => {
    assertPostFits(reader, post)
    return lengthOf(post)
  })
  const max = limits.statusCharacters * draftFactor
  if (lengths.reduce((sum, length) => sum + length, 0) > max)
    throw invalid('text', 'too_many_characters', { max })
  const media = mediaOf(input)
  if (new Set(media).size < media.length) throw unprocessable('media_not_found')
  return {
    inReplyToId: input.inReplyToId,
    posts: posts.map((post) => ({
      ...post,
      language: parseLanguage(post.language) ?? undefined,
      contentType: isContentType(post.contentType) ? post.contentType : undefined,
    })),
  }
}

function assertPostFits({ config: { limits } }: Pick<Reader, 'config'>, post: DraftPost): void {
  const max = limits.statusCharacters * postFactor
  if (lengthOf(post) > max) throw invalid('text', 'too_many_characters', { max })
  if ((post.mediaIds ?? []).length > limits.mediaAttachments)
    throw unprocessable('too_many_attachments', { max: limits.mediaAttachments })
  if ((post.poll?.options ?? []).length > limits.pollOptions)
    throw invalid('base', 'poll_too_many_options', { max: limits.pollOptions })
}

/** All that is typed counts. What is longer in code units than ten times its characters is not counted, but too long. */
function lengthOf({ text, spoilerText = '', poll }: DraftPost): number {
  const typed = [text, spoilerText, ...(poll?.options ?? [])].join('')
  return Math.max(countCharacters(typed), typed.length / postFactor)
}
