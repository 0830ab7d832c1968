// Posts on their way: they wait some seconds, in which they can be taken back, and without a network until there is one.
// Each goes out once: it is published by its draft, which is there once and can be published once.
import type { ScheduledStatus } from '#entities/personal/scheduled-status.ts'
import type { Status } from '#entities/status.ts'
import { post, put, whenOnline } from '../../api/client.ts'
import { ApiError, isOffline, wordsOf } from '../../api/errors.ts'
import { authorization, isSignedIn } from '../../core/start.ts'
import { dismiss, tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { lookAgainAtAccounts } from '../account.ts'
import { compose, published } from '../compose.ts'
import { invalidate } from '../query.ts'
import { countedBy, keepStatuses, lookAgain } from '../statuses.ts'
import { clearPlace, leavePlace } from './begin.ts'
import { toDraft } from './content.ts'
import { resumePiece, type Piece } from './piece.ts'
import { findKept, listKept } from './store.ts'

/** Milliseconds in which a post can be taken back. */
export const undoTime = 3_000

interface Waiting {
  piece: Piece
  /** Where it was written. */
  from: string
  scheduledAt: string | null
  isTaken: boolean
  /** It waited for the network, or for the app to be opened again. */
  isLate: boolean
}

const waiting = new Map<string, Waiting>()

/** Publishes a piece after some seconds, or has it scheduled at once. The place where it was written is free again. */
export async function publishSoon(piece: Piece, scheduledAt: string | null): Promise<void> {
  const from = piece.place
  clearPlace(from)
  const one: Waiting = { piece, from, scheduledAt, isTaken: false, isLate: false }
  const place = `out:${crypto.randomUUID()}`
  waiting.set(place, one)
  const notice =
    scheduledAt === null
      ? tell(t.compose.publishing, 'done', { label: t.compose.undo, run: () => void takeBack(place) })
      : null
  const sendAt = Date.now() + (scheduledAt === null ? undoTime : 0)
  await piece.moveTo(place, { sendAt, scheduledAt })
  // All but the last step is done while it waits.
  const ready = piece.save()
  ready.catch(() => {})
  setTimeout(
    () => {
      if (notice !== null) dismiss(notice)
      void send(place)
    },
    Math.max(0, sendAt - Date.now()),
  )
}

/** Opens it where it was written. */
async function takeBack(place: string): Promise<void> {
  const one = waiting.get(place)
  if (!one) return
  one.isTaken = true
  waiting.delete(place)
  await reopen(one)
  tell(t.compose.undone)
}

async function reopen({ piece, from }: Waiting): Promise<void> {
  const to = (await findKept(from)) ? `aside:${crypto.randomUUID()}` : from
  await piece.moveTo(to)
  leavePlace(to, piece)
  if (to !== from || !document.querySelector(`form[data-composer="${CSS.escape(from)}"]`))
    compose({ kind: 'place', place: to })
}

/** One window at a time sends, and none what another one sent. */
async function send(place: string): Promise<void> {
  const one = waiting.get(place)
  if (!one || one.isTaken) return
  // Opened without a network: it goes out when the app is opened with one.
  if (!isSignedIn()) return void tell(t.compose.waits)
  await navigator.locks.request(`stonechat ${place}`, async () => {
    if (one.isTaken || !(await findKept(place))) return
    try {
      await publishNow(one)
      waiting.delete(place)
    } catch (error) {
      await refuse(place, one, error)
    }
  })
}

async function publishNow({ piece, scheduledAt, isLate }: Waiting): Promise<void> {
  await piece.save()
  const id = piece.draftId()
  if (id === null) return await piece.end()
  const made = await post<Status[] | ScheduledStatus>(`/api/v1/drafts/${id}/publish`, {
    body: { version: piece.version(), ...(scheduledAt !== null && { scheduled_at: scheduledAt }) },
    idempotencyKey: `draft:${id}`,
  })
  await piece.end()
  invalidate('/api/v1/drafts')
  if (!Array.isArray(made)) {
    invalidate('/api/v1/scheduled_statuses')
    return void tell(t.compose.scheduled)
  }
  keepStatuses(made)
  published.value = made
  void lookAgain(made.flatMap(countedBy))
  lookAgainAtAccounts()
  tell(isLate ? t.compose.sentLater : t.compose.published)
}

/** Without a network it waits for one; what the server refuses goes back to where it was written. */
async function refuse(place: string, one: Waiting, error: unknown): Promise<void> {
  if (isOffline(error)) {
    one.isLate = true
    tell(t.compose.waits)
    void whenOnline().then(() => send(place))
    return
  }
  waiting.delete(place)
  // A draft that is gone was published, by this window before it was closed or by another one.
  if (error instanceof ApiError && error.status === 404 && one.piece.draftId() !== null && !isRefused(error))
    return await one.piece.end()
  const { replyToId, quotedId } = one.piece.content.peek()
  void lookAgain([replyToId, quotedId])
  await reopen(one)
  // What somebody else made of the draft stays as it is; asked for again, what stands here is published.
  if (error instanceof ApiError && error.status === 409) return await one.piece.part(error)
  tell(wordsOf(error), 'problem')
}

/** Whether the draft is there, and a post of it is refused: what it answers may be gone. */
const isRefused = ({ body }: ApiError) => typeof (body as { post_index?: unknown } | null)?.post_index === 'number'

/** Takes up what waited when the last window was closed. */
export async function startOutbox(): Promise<void> {
  if (!isSignedIn()) return
  for (const kept of await listKept('out:')) {
    if (waiting.has(kept.place)) continue
    const { place, scheduledAt, sendAt } = kept
    waiting.set(place, { piece: resumePiece(kept), from: 'new', scheduledAt, isTaken: false, isLate: true })
    setTimeout(() => void send(place), Math.max(0, (sendAt ?? 0) - Date.now()))
  }
  await saveAsides()
}

/** What made way for something else without a network becomes a draft, when there is one. */
async function saveAsides(): Promise<void> {
  for (const kept of await listKept('aside:')) if (!kept.isSaved) await resumePiece(kept).save().catch(() => {})
}

/** Who closes the window meant it: what waits is sent without waiting, as far as a closing window can. */
addEventListener('pagehide', () => {
  for (const { piece, scheduledAt, isTaken } of waiting.values()) {
    const id = piece.draftId()
    if (id === null || isTaken || scheduledAt !== null || piece.saving.peek() !== 'saved') continue
    void fetch(`/api/v1/drafts/${id}/publish`, {
      method: 'POST',
      headers: {
        ...authorization(),
        'content-type': 'application/json',
        'idempotency-key': `draft:${id}`,
      },
      body: JSON.stringify({ version: piece.version() }),
      credentials: 'omit',
      keepalive: true,
    }).catch(() => {})
  }
})

/** Changes a post that is published, at once. Throws ApiError. */
export async function publishEdit(piece: Piece): Promise<void> {
  const { place } = piece
  await piece.save()
  const [body] = toDraft(piece.content.peek()).posts
  const media = piece.content.peek().posts.flatMap((one) => one.media)
  const { visibility: _, local_only: __, quoted_status_id: ___, ...changed } = { ...body }
  const status = await put<Status>(`/api/v1/statuses/${place.slice('edit:'.length)}`, {
    body: {
      ...changed,
      content_type: piece.content.peek().isMarkdown ? 'text/markdown' : 'text/plain',
      media_attributes: media.flatMap(({ attachment, description, focus }) =>
        attachment
          ? [{ id: attachment.id, description, ...(focus && { focus: `${focus.x},${focus.y}` }) }]
          : [],
      ),
    },
  })
  keepStatuses([status])
  await piece.end()
  leavePlace(place)
  tell(t.compose.changed)
}
