// One piece of writing: kept in this browser at once, and as a draft on the server after a moment of rest.
import { signal, type Signal } from '@preact/signals'
import type { MediaAttachment } from '#entities/media-attachment.ts'
import type { Draft } from '#entities/personal/draft.ts'
import { isOnline, post, put, remove, whenOnline } from '../../api/client.ts'
import { ApiError, isOffline, wordsOf } from '../../api/errors.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import {
  fromDraft,
  isBlank,
  isSame,
  toDraft,
  type Content,
  type WrittenMedia,
  type WrittenPost,
} from './content.ts'
import { findKept, forget, hearOthers, keep, ownerId, placeKey, type Kept } from './store.ts'
import { upload, whenMade } from './uploads.ts'

export type Saving = 'new' | 'unsaved' | 'saving' | 'saved'

export interface Piece {
  readonly id: string
  readonly content: Signal<Content>
  readonly saving: Signal<Saving>
  place: string
  readonly draftId: () => string | null
  readonly isChanged: () => boolean
  change(update: Partial<Content>): void
  changePost(key: string, update: (post: WrittenPost) => Partial<WrittenPost>): void
  changeMedia(postKey: string, mediaKey: string, update: Partial<WrittenMedia>): void
  /** Has the server know all of it, files and descriptions too. Throws ApiError. Idempotent. */
  save(): Promise<void>
  /** Another device changed the draft: taken over where nothing was changed here. */
  receive(draft: Draft): void
  /** Another device published the draft, or threw it away: gone here too, where nothing was changed. */
  lose(draftId: string): void
  /** Its draft was refused as one that others changed or threw away: it goes on as a draft of its own. Throws ApiError. */
  part(error: ApiError): Promise<void>
  /** Keeps it for the next start under a place, which is its own from now on. */
  moveTo(place: string, more?: Pick<Kept, 'sendAt' | 'scheduledAt'>): Promise<void>
  /** Throws it away, here and on the server. */
  discard(): Promise<void>
  /** Forgets it here: it was published. */
  end(): Promise<void>
  readonly version: () => number | undefined
}

/** Milliseconds of rest after which the server is told. */
const rest = 1_000

/** `initial`: what counts as nothing written; what it begins with, unless another is given. */
export const startPiece = (
  place: string,
  content: Content,
  initial = content,
  draft: Kept['draft'] = null,
): Piece =>
  resumePiece({
    key: '',
    place,
    account: ownerId(),
    content,
    initial,
    draft,
    draftKey: crypto.randomUUID(),
    isSaved: draft !== null,
    sendAt: null,
    scheduledAt: null,
  })

export function resumePiece(kept: Kept): Piece {
  const content = signal(kept.content)
  const saving = signal<Saving>(kept.isSaved ? 'saved' : 'new')
  let { place, draft, draftKey, sendAt, scheduledAt } = kept
  let saved: Content | null = kept.isSaved ? kept.content : null
  /** Under which place it is kept: of its own where another window writes something else there. */
  let keptAt = place
  /** What was kept last, by this window or by another one that this one followed. */
  let base = kept.content
  let mark = kept.mark ?? null
  let isOver = false
  /** For the network. */
  let isWaiting = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let work: Promise<void> = Promise.resolve()

  // Of an edit the server keeps no draft.
  const isDraft = () => !place.startsWith('edit:')
  const isChanged = () => !isSame(content.peek(), kept.initial)
  const isWorth = () => isChanged() && content.peek().posts.some((one) => !isBlank(one))

  const forgetHere = () => {
    const before = mark
    mark = null
    base = content.peek()
    return forget(keptAt, before)
  }

  async function keepHere(): Promise<void> {
    if (isOver) return
    if (!isWorth() && !draft) return await forgetHere()
    const now = content.peek()
    const before = mark
    const own = crypto.randomUUID()
    mark = own
    const other = await keep(
      {
        key: placeKey(keptAt),
        place: keptAt,
        account: kept.account,
        content: now,
        initial: kept.initial,
        draft,
        draftKey,
        isSaved: saved !== null && isSame(saved, now),
        sendAt,
        scheduledAt,
        mark: own,
      },
      before,
    )
    if (!other) base = now
    // What was kept after that settles it.
    else if (mark === own) await settle(other)
  }

  /** Another window kept something that this one had not seen: it stays, and is overwritten by nothing. */
  async function settle(other: Kept): Promise<void> {
    if (isSame(other.content, base)) {
      follow(other)
    } else {
      keptAt = `aside:${crypto.randomUUID()}`
      mark = null
      partWith(mediaOf(other.content).flatMap(({ attachment }) => attachment?.id ?? []))
      tell(t.compose.changedElsewhere)
      saveSoon()
    }
    await keepHere()
  }

  /** What another window had the server know of it. */
  function follow(other: Kept): void {
    draft = other.draft
    draftKey = other.draftKey
    saved = other.isSaved ? other.content : null
    base = other.content
    mark = other.mark ?? null
  }

  /** Takes over what another window wrote there, where nothing was written here since. */
  async function followOthers(): Promise<void> {
    const other = await findKept(keptAt)
    if (isOver || (other?.mark ?? null) === mark || !isSame(content.peek(), base)) return
    clearTimeout(timer)
    if (!other) return forgetAll()
    follow(other)
    if (!isSame(content.peek(), other.content)) content.value = withFieldsOf(content.peek(), other.content)
    saving.value = other.isSaved ? 'saved' : 'unsaved'
  }

  function forgetAll(): void {
    draft = null
    draftKey = crypto.randomUUID()
    saved = null
    mark = null
    base = kept.initial
    content.value = kept.initial
    saving.value = 'new'
  }

  const stopHearing = hearOthers((key) => {
    if (key === placeKey(keptAt)) void followOthers()
  })

  function finish(): void {
    isOver = true
    clearTimeout(timer)
    stopHearing()
  }

  function set(next: Content): void {
    content.value = next
    if (isOver) return
    saving.value = 'unsaved'
    void keepHere()
    saveSoon()
    if (hasFiles(next) && isOnline.peek()) void uploadAll(piece).catch(againOnline)
  }

  function saveSoon(): void {
    clearTimeout(timer)
    if (isOver || !isDraft()) return
    timer = setTimeout(() => {
      if (!isOnline.peek()) return saveOnline()
      void uploadAll(piece).catch(() => {})
      chain().catch(againOnline)
    }, rest)
  }

  /** Without a network it is kept here, and saved when there is one. */
  function againOnline(error: unknown): void {
    if (isOffline(error)) saveOnline()
  }

  function saveOnline(): void {
    if (isWaiting) return
    isWaiting = true
    void whenOnline().then(() => {
      isWaiting = false
      saveSoon()
    })
  }

  function chain(): Promise<void> {
    clearTimeout(timer)
    work = work.catch(() => {}).then(saveNow)
    return work
  }

  async function saveNow(): Promise<void> {
    if (isOver || !isDraft()) return
    const now = content.peek()
    if (saved !== null && isSame(saved, now)) return
    saving.value = 'saving'
    try {
      if (isWorth()) await saveDraft(now)
      else if (draft) await removeDraft()
      saved = now
      saving.value = isSame(now, content.peek()) ? 'saved' : 'unsaved'
    } catch (error) {
      saving.value = 'unsaved'
      throw error
    } finally {
      await keepHere()
    }
  }

  async function saveDraft(now: Content): Promise<void> {
    const body = toDraft(now)
    try {
      if (!draft) {
        const made = await post<Draft>('/api/v1/drafts', { body, idempotencyKey: draftKey })
        draft = { id: made.id, version: made.version }
      }
      const { id, version } = draft
      const { version: next } = await put<Draft>(`/api/v1/drafts/${id}`, { body: { ...body, version } })
      draft = { id, version: next }
    } catch (error) {
      if (!isGone(error)) throw error
      await saveApart(now, error)
    }
  }

  /** The draft was changed or thrown away by another device: what was written here is a draft of its own. */
  async function saveApart(now: Content, error: ApiError): Promise<void> {
    const taken = (error.body as { draft?: Draft } | null)?.draft?.posts.flatMap((one) => one.media_ids) ?? []
    partWith(taken)
    const body = toDraft(without(now, taken))
    const made = await post<Draft>('/api/v1/drafts', { body, idempotencyKey: draftKey })
    draft = { id: made.id, version: made.version }
    tell(error.status === 409 ? t.compose.changedElsewhere : t.compose.goneElsewhere)
  }

  /** Goes on as a draft of its own, without what is another one's. */
  function partWith(taken: readonly string[]): void {
    draft = null
    draftKey = crypto.randomUUID()
    saved = null
    if (taken.length > 0) content.value = without(content.peek(), taken)
  }

  async function removeDraft(): Promise<void> {
    const old = draft
    draft = null
    draftKey = crypto.randomUUID()
    if (old) await remove(`/api/v1/drafts/${old.id}`)
  }

  const piece: Piece = {
    id: crypto.randomUUID(),
    content,
    saving,
    get place() {
      return place
    },
    draftId: () => draft?.id ?? null,
    version: () => draft?.version,
    isChanged,
    change: (update) => set({ ...content.peek(), ...update }),
    changePost(key, update) {
      const { posts, ...others } = content.peek()
      set({ ...others, posts: posts.map((one) => (one.key === key ? { ...one, ...update(one) } : one)) })
    },
    changeMedia(postKey, mediaKey, update) {
      piece.changePost(postKey, ({ media }) => ({
        media: media.map((one) => (one.key === mediaKey ? { ...one, ...update } : one)),
      }))
    },
    async save() {
      await uploadAll(piece)
      await chain()
    },
    receive(next) {
      const isHere = saved !== null && isSame(saved, content.peek())
      if (isOver || next.id !== draft?.id || next.version <= draft.version || !isHere) return
      const { replyTo, quoted } = content.peek()
      draft = { id: next.id, version: next.version }
      saved = { ...fromDraft(next), replyTo, quoted }
      content.value = saved
      void keepHere()
    },
    lose(draftId) {
      if (isOver || draft?.id !== draftId) return
      const isHere = saved !== null && isSame(saved, content.peek())
      partWith([])
      // What was changed here is saved as a draft of its own.
      if (!isHere) return saveSoon()
      void forgetHere()
      forgetAll()
    },
    async part(error) {
      const now = content.peek()
      saving.value = 'unsaved'
      await saveApart(now, error)
      saved = now
      saving.value = isSame(now, content.peek()) ? 'saved' : 'unsaved'
      await keepHere()
    },
    async moveTo(next, more) {
      const before = { keptAt, mark }
      place = next
      keptAt = next
      mark = null
      sendAt = more?.sendAt ?? null
      scheduledAt = more?.scheduledAt ?? null
      // Both are asked for before anything else can be written there.
      const kept = keepHere()
      const forgotten = before.keptAt === next ? null : forget(before.keptAt, before.mark)
      await Promise.all([kept, forgotten])
    },
    async discard() {
      finish()
      await forget(keptAt, mark)
      await work.catch(() => {})
      await removeDraft()
    },
    async end() {
      finish()
      await forget(keptAt, mark)
    },
  }
  return piece
}

/** What is shown in a field stays in it: the caret may be there. */
const withFieldsOf = (before: Content, next: Content): Content => ({
  ...next,
  posts: next.posts.map((post, index) => ({ ...post, key: before.posts[index]?.key ?? post.key })),
})

const mediaOf = ({ posts }: Content) => posts.flatMap(({ media }) => media)

/** Files that nobody has begun to send. */
const hasFiles = (content: Content) =>
  mediaOf(content).some((one) => one.file && !one.attachment && one.progress === null && one.problem === null)

const without = (content: Content, taken: readonly string[]): Content => ({
  ...content,
  posts: content.posts.map((one) => ({
    ...one,
    media: one.media.filter(({ attachment }) => !attachment || !taken.includes(attachment.id)),
  })),
})

const isGone = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 409 || error.status === 404)

const running = new Map<string, Promise<void>>()

/** Waits for all files of a piece. Throws what the first one was refused for. */
async function uploadAll(piece: Piece): Promise<void> {
  const jobs = piece.content.peek().posts.flatMap((one) => one.media.map((media) => ({ one, media })))
  await Promise.all(
    jobs.map(({ one, media }) => {
      const known = running.get(media.key)
      if (known) return known
      // It is known before it begins: beginning is a change, after which all are looked at again.
      const job = Promise.resolve()
        .then(() => bring(piece, one.key, media))
        .finally(() => running.delete(media.key))
      running.set(media.key, job)
      return job
    }),
  )
}

/** Has the server know a file, what it shows, and what is said of it. */
async function bring(piece: Piece, postKey: string, { key }: WrittenMedia): Promise<void> {
  const find = () =>
    piece.content.peek().posts.flatMap(({ media }) => media).find((media) => media.key === key)
  const change = (update: Partial<WrittenMedia>) => piece.changeMedia(postKey, key, update)
  // What was refused is sent again when that is asked for.
  const refused = find()?.problem ?? null
  if (refused !== null) throw new ApiError('refused', refused)
  try {
    const file = find()?.file
    if (file && !find()?.attachment) {
      change({ progress: 0, problem: null })
      const attachment = await upload(file, (progress) => change({ progress }))
      change({ attachment, progress: 1, type: attachment.type })
    }
    const made = find()?.attachment
    if (made?.url === null) await whenMade(made, (attachment) => change({ attachment, progress: null, file: null }))
    else if (made && find()?.file) change({ progress: null, file: null })
    const media = find()
    const isEdit = piece.place.startsWith('edit:')
    if (media?.attachment && !media.isTold && !isEdit) await describe(media, media.attachment, change)
  } catch (error) {
    change({ progress: null, problem: isOffline(error) ? null : wordsOf(error) })
    throw error
  }
}

async function describe(
  { description, focus, thumbnail }: WrittenMedia,
  { id }: MediaAttachment,
  change: (update: Partial<WrittenMedia>) => void,
): Promise<void> {
  const form = new FormData()
  form.set('description', description)
  if (focus) form.set('focus', `${focus.x},${focus.y}`)
  if (thumbnail) form.set('thumbnail', thumbnail)
  change({ isTold: true })
  try {
    const attachment = await put<MediaAttachment>(`/api/v1/media/${id}`, { body: form })
    change({ attachment, thumbnail: null })
  } catch (error) {
    change({ isTold: false })
    throw error
  }
}
