import { tell } from '../../../core/tell.ts'
import { t } from '../../../core/texts.ts'
import { newMedia } from '../../../data/writing/content.ts'
import type { Piece } from '../../../data/writing/piece.ts'
import { limits } from '../../../data/writing/readiness.ts'

/** Adds files to a post, as many as it may have; what the server would refuse is said at once. */
export function addFiles(piece: Piece, postKey: string, files: Iterable<File>): void {
  const max = limits()?.statuses.max_media_attachments ?? 4
  const post = piece.content.peek().posts.find(({ key }) => key === postKey)
  if (!post) return
  const given = [...files]
  const fitting = given.filter(fits)
  const free = Math.max(0, max - post.media.length)
  if (fitting.length > free) tell(t.compose.tooManyMedia({ count: max }), 'problem')
  const added = fitting.slice(0, free).map(newMedia)
  if (added.length > 0) piece.changePost(postKey, ({ media }) => ({ media: [...media, ...added] }))
}

function fits(file: File): boolean {
  const {
    supported_mime_types: types,
    image_size_limit: image = Infinity,
    video_size_limit: video = Infinity,
  } = limits()?.media_attachments ?? {}
  if (types && file.type !== '' && !types.includes(file.type)) {
    tell(t.compose.mediaUnknown({ name: file.name }), 'problem')
    return false
  }
  const max = file.type.startsWith('image/') ? image : video
  if (file.size > max)
    tell(t.compose.mediaTooLarge({ name: file.name, megabytes: Math.floor(max / 2 ** 20) }), 'problem')
  return file.size <= max
}
