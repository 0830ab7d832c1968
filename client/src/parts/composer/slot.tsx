// Where posts are written: the composer comes when the first view is there, and a dialog with it when it is asked for.
import { useEffect, useState } from 'preact/hooks'
import type { Status } from '#entities/status.ts'
import { isOnline } from '../../api/client.ts'
import { isSignedIn } from '../../core/start.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { composing, published, type Intent } from '../../data/compose.ts'
import { wordsOfLost } from '../page/lazy-part.tsx'
import type * as loadedParts from './loaded.ts'
import css from './slot.module.css'

type Loaded = typeof loadedParts

let loaded: Loaded | null = null
let loading: Promise<Loaded> | null = null

function load(): Promise<Loaded> {
  loading ??= import('./loaded.ts').then((module) => (loaded = module))
  loading.catch(() => (loading = null))
  return loading
}

/** They are tried again when the network is back. */
function useLoaded(isWanted: boolean, onLost = () => {}): Loaded | null {
  const [parts, setParts] = useState(loaded)
  const isThere = isOnline.value
  useEffect(() => {
    if (isWanted && !parts) void load().then(setParts, onLost)
  }, [isWanted, parts, isThere])
  return parts
}

const newPost: Intent = { kind: 'new' }

export interface ComposerSlotProps {
  intent?: Intent
  /** The page is for it: it has the focus. */
  isMain?: boolean
  /** Called after it was published. */
  onDone?: () => void
  /** Called with what was published here, oldest of a thread first. */
  onPublished?: (statuses: readonly Status[]) => void
}

/** The form *New post* as a part of a page. */
export function ComposerSlot({ intent = newPost, isMain = false, onDone, onPublished }: ComposerSlotProps) {
  const parts = useLoaded(true)
  useEffect(() => {
    if (!onPublished) return
    const before = published.peek()
    return published.subscribe((statuses) => {
      if (statuses !== before) onPublished(statuses)
    })
  }, [onPublished])
  return (
    <div class={css['slot']} data-placeholder={t.compose.placeholder}>
      {parts && <parts.Composer intent={intent} isMain={isMain} {...(onDone && { onDone })} />}
    </div>
  )
}

/** The dialog with a composer, wherever it was asked for. */
export function ComposerHost() {
  const intent = composing.value
  const isThere = isOnline.value
  const parts = useLoaded(intent !== null, () => {
    tell(wordsOfLost(), 'problem')
    composing.value = null
  })
  useEffect(() => {
    if (!isSignedIn() || !isThere) return
    // What waited when the last window was closed goes out, wherever one begins.
    const idle = setTimeout(
      () =>
        void load()
          .then(({ startOutbox }) => startOutbox())
          .catch(() => {}),
      1_000,
    )
    return () => clearTimeout(idle)
  }, [isThere])
  if (!intent || !parts) return null
  return <parts.ComposerDialog intent={intent} onClose={() => (composing.value = null)} />
}
