// What a composer begins with: what was kept under the same place, or what its purpose says.
import { signal } from '@preact/signals'
import type { Draft } from '#entities/personal/draft.ts'
import type { Status, StatusSource } from '#entities/status.ts'
import { get } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { parseHtml } from '../../core/trusted.ts'
import type { Intent } from '../compose.ts'
import { account, preferences } from '../session.ts'
import { statusOf } from '../statuses.ts'
import { fromDraft, keptMedia, newContent, newMedia, newPost, type Content, type Visibility } from './content.ts'
import { policiesOf } from './policies.ts'
import { limits } from './readiness.ts'
import { resumePiece, startPiece, type Piece } from './piece.ts'
import { findKept, listKept } from './store.ts'

const breadth: readonly Visibility[] = ['direct', 'private', 'unlisted', 'public']

/** A reply is seen by no more people than what it answers, and by no more than one's posts usually are. */
export function visibilityOfReply(parent: Visibility): Visibility {
  const usual = preferences.peek().data?.['posting:default:visibility'] ?? 'public'
  return breadth[Math.min(breadth.indexOf(parent), breadth.indexOf(usual))] ?? usual
}

/** Those who are answered: its author, and who is mentioned in it, without oneself. */
function mentionsOf(status: Status): string {
  const own = account.peek().data?.acct
  const names = [status.account.acct, ...status.mentions.map(({ acct }) => acct)]
  return [...new Set(names)]
    .filter((name) => name !== own)
    .map((name) => `@${name} `)
    .join('')
}

const replyContent = (to: Status): Content =>
  newContent({
    replyTo: to,
    replyToId: to.id,
    visibility: visibilityOfReply(to.visibility),
    localOnly: to.local_only ?? false,
    posts: [newPost({ text: mentionsOf(to), warning: to.spoiler_text || null })],
  })

const minute = 60

/** What a post is made of; its text as it was written. */
function statusContent(status: Status, source: Pick<StatusSource, 'text' | 'spoiler_text'>, type?: string): Content {
  const { poll, quote } = status
  const left = poll?.expires_at ? (Date.parse(poll.expires_at) - Date.now()) / 1_000 : 86_400
  return newContent({
    visibility: status.visibility,
    replyToId: status.in_reply_to_id,
    replyTo: (status.in_reply_to_id !== null && statusOf(status.in_reply_to_id)?.peek()) || null,
    quoted: quote?.quoted_status ?? null,
    quotedId: quote?.quoted_status?.id ?? quote?.quoted_status_id ?? null,
    ...policiesOf(status),
    localOnly: status.local_only ?? false,
    isMarkdown: type === 'text/markdown',
    posts: [
      newPost({
        text: source.text,
        warning: source.spoiler_text || null,
        sensitive: status.sensitive,
        language: status.language,
        media: status.media_attachments.map(keptMedia),
        poll: poll && {
          options: poll.options.map(({ title }) => title),
          expiresIn: Math.max(5 * minute, Math.round(left)),
          multiple: poll.multiple,
          hideTotals: poll.options.some((option) => option.votes_count === null),
        },
      }),
    ],
  })
}

const placeOf = (intent: Intent): string => {
  if (intent.kind === 'reply') return `reply:${intent.to.id}`
  if (intent.kind === 'quote') return `quote:${intent.of.id}`
  if (intent.kind === 'edit' || intent.kind === 'redraft') return `${intent.kind}:${intent.status.id}`
  if (intent.kind === 'draft') return `draft:${intent.draft.id}`
  if (intent.kind === 'place') return intent.place
  return intent.kind === 'new' ? 'new' : `${intent.kind}:${crypto.randomUUID()}`
}

/** What somebody writes from the beginning, for a purpose. Throws ApiError when the source of a post cannot be had. */
async function contentOf(intent: Intent): Promise<Content> {
  if (intent.kind === 'reply') return replyContent(intent.to)
  if (intent.kind === 'quote') return newContent({ quoted: intent.of, quotedId: intent.of.id })
  if (intent.kind === 'message') return newContent({ visibility: 'direct', posts: [newPost({})] })
  if (intent.kind === 'share') {
    const max = limits()?.statuses.max_media_attachments ?? 4
    const media = (intent.files ?? []).slice(0, max).map(newMedia)
    return newContent({ posts: [newPost({ text: intent.text, media })] })
  }
  if (intent.kind === 'redraft') {
    const { status } = intent
    const text = status.text ?? parseHtml(status.content).body.textContent ?? ''
    return statusContent(status, { text, spoiler_text: status.spoiler_text })
  }
  if (intent.kind !== 'edit') return newContent()
  const { body } = await get<StatusSource>(`/api/v1/statuses/${intent.status.id}/source`)
  return statusContent(intent.status, body, body.content_type)
}

/** One piece for each place, for as long as the page is open. */
const pieces = new Map<string, Promise<Piece>>()

export function pieceFor(intent: Intent): Promise<Piece> {
  const place = placeOf(intent)
  const known = pieces.get(place) ?? openPiece(intent, place)
  pieces.set(place, known)
  known.catch(() => pieces.delete(place))
  return known
}

/** Counts up when a place has another piece than before. */
export const placeChanges = signal(0)

/** Has the next composer of a place begin anew, or with this piece. */
export function leavePlace(place: string, next?: Piece): void {
  if (next) pieces.set(place, Promise.resolve(next))
  else pieces.delete(place)
  placeChanges.value++
}

/** An empty one in the place of what was written there. */
export const clearPlace = (place: string): void => leavePlace(place, startPiece(place, newContent()))

async function openPiece(intent: Intent, place: string): Promise<Piece> {
  if (intent.kind === 'draft') return await openDraft(intent.draft, place)
  const kept = await findKept(place)
  if (!kept) {
    const isNew = intent.kind === 'share' || intent.kind === 'redraft'
    // What was given is worth keeping before a letter is typed.
    const piece = startPiece(place, await contentOf(intent), isNew ? newContent() : undefined)
    // Files are sent at once, as those that are added.
    if (intent.kind === 'share' && intent.files) piece.change({})
    return piece
  }
  const piece = resumePiece(kept)
  if (kept.draft) void refresh(piece, kept.draft.id)
  return piece
}

/** A draft that is being written here already goes on there. */
async function openDraft(draft: Draft, place: string): Promise<Piece> {
  for (const open of await Promise.all(pieces.values())) if (open.draftId() === draft.id) return open
  const kept = (await listKept()).find((one) => one.draft?.id === draft.id && one.sendAt === null)
  if (kept) {
    const piece = await pieceFor({ kind: 'place', place: kept.place })
    piece.receive(draft)
    return piece
  }
  const { id, version } = draft
  const content = await withOthers(fromDraft(draft))
  return startPiece(place, content, newContent(), { id, version })
}

/** With the posts that it answers and quotes, as far as they can be seen. */
async function withOthers(content: Content): Promise<Content> {
  const find = async (id: string | null) =>
    id === null
      ? null
      : await get<Status>(`/api/v1/statuses/${id}`).then(
          ({ body }) => body,
          () => null,
        )
  const [replyTo, quoted] = await Promise.all([find(content.replyToId), find(content.quotedId)])
  return { ...content, replyTo, quoted }
}

/** What other devices made of the draft meanwhile: changed, or published, or thrown away. */
async function refresh(piece: Piece, draftId: string): Promise<void> {
  try {
    const { body } = await get<Draft>(`/api/v1/drafts/${draftId}`)
    piece.receive(body)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) piece.lose(draftId)
  }
}
