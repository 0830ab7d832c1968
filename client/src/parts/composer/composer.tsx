// Where posts are written: a post or a thread, a reply, a quote, an edit.
import { useEffect, useRef, useState } from 'preact/hooks'
import { wordsOf } from '../../api/errors.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import type { Intent } from '../../data/compose.ts'
import { account } from '../../data/session.ts'
import { pieceFor, placeChanges } from '../../data/writing/begin.ts'
import { isBlank, newPost } from '../../data/writing/content.ts'
import { publishEdit, publishSoon } from '../../data/writing/outbox.ts'
import type { Piece } from '../../data/writing/piece.ts'
import { Avatar } from '../account/avatar.tsx'
import { Problem } from '../page/problem.tsx'
import css from './composer.module.css'
import { About, Scheduled } from './about.tsx'
import { ChoiceDialog, type Choice } from './choices/choice-dialog.tsx'
import { addFiles } from './media/add-files.ts'
import { PostFields } from './post-fields.tsx'
import { isReady, mediaWithoutDescription } from '../../data/writing/readiness.ts'
import { Toolbar } from './toolbar.tsx'

export interface ComposerProps {
  intent: Intent
  /** It has the focus at once. */
  isMain?: boolean
  onDone?: () => void
  /** Called when it goes away. `isKept`: with something in it. */
  onLeave?: (isKept: boolean) => void
}

export function titleOf(intent: Intent): string {
  const titles: Partial<Record<Intent['kind'], string>> = {
    reply: t.compose.titleReply,
    quote: t.compose.titleQuote,
    edit: t.compose.titleEdit,
  }
  return titles[intent.kind] ?? t.compose.form
}

/** The piece of an intent, as soon as it is known; another one after it was published. */
function usePiece(intent: Intent) {
  const [piece, setPiece] = useState<Piece | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [trial, setTrial] = useState(0)
  const changes = placeChanges.value
  useEffect(() => {
    let isWanted = true
    void pieceFor(intent).then(
      (found) => {
        if (!isWanted) return
        setPiece(found)
        setProblem(null)
      },
      (error: unknown) => isWanted && setProblem(wordsOf(error)),
    )
    return () => {
      isWanted = false
    }
  }, [intent, changes, trial])
  return { piece, problem, retry: () => setTrial(trial + 1) }
}

export function Composer({ intent, ...others }: ComposerProps) {
  const { piece, problem, retry } = usePiece(intent)
  if (problem !== null) return <Problem text={problem} onRetry={retry} />
  return piece && <ComposerForm key={piece.id} piece={piece} {...others} />
}

type FormProps = Omit<ComposerProps, 'intent'> & { piece: Piece }

/** What is written, which post of it the buttons are about, and what is being chosen. */
function useWriting({ piece, onDone, onLeave }: FormProps) {
  const { content } = piece
  const { posts } = content.value
  const [activeKey, setActive] = useState(posts[0]?.key ?? '')
  const [choice, setChoice] = useState<Choice | null>(null)
  const [scheduledAt, setScheduledAt] = useState<string | null>(null)
  const isPublished = useRef(false)
  const active = posts.find(({ key }) => key === activeKey) ?? posts[0] ?? newPost()
  const { publish, isBusy } = usePublish(piece, scheduledAt, () => {
    isPublished.current = true
    onDone?.()
  })
  useEffect(
    () => () => onLeave?.(!isPublished.current && piece.isChanged() && !content.peek().posts.every(isBlank)),
    // Only when it goes away.
    [],
  )
  const submit = () => {
    if (!isReady(piece) || isBusy) return
    if (mediaWithoutDescription(content.peek()) > 0) setChoice('descriptions')
    else void publish()
  }
  const addPost = () => {
    const post = newPost({ language: active.language, warning: active.warning })
    piece.change({ posts: posts.flatMap((one) => (one === active ? [one, post] : [one])) })
    setActive(post.key)
  }
  const state = { posts, active, activeKey, choice, scheduledAt, isBusy }
  return { ...state, setActive, setChoice, setScheduledAt, publish, submit, addPost }
}

/** The form *New post*. */
function ComposerForm(props: FormProps) {
  const { piece, isMain = false } = props
  const writing = useWriting(props)
  const { posts, active, activeKey, choice, scheduledAt, isBusy, setActive, setChoice, submit } = writing
  return (
    <>
      <form
        class={css['composer']}
        aria-label={t.compose.form}
        data-composer={piece.place}
        {...useDropping((files) => addFiles(piece, active.key, files))}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Own />
        <div class={css['fields']}>
          <About piece={piece} />
          {posts.map((post, index) => (
            <PostFields
              key={post.key}
              piece={piece}
              post={post}
              index={index}
              isFocused={post.key === activeKey && (isMain || index > 0)}
              onActive={() => setActive(post.key)}
              onSubmit={submit}
            />
          ))}
          {scheduledAt !== null && (
            <Scheduled at={scheduledAt} onRemove={() => writing.setScheduledAt(null)} />
          )}
          <Toolbar
            piece={piece}
            post={active}
            isBusy={isBusy}
            onChoose={setChoice}
            onAddPost={writing.addPost}
          />
        </div>
      </form>
      {choice !== null && (
        <ChoiceDialog
          choice={choice}
          piece={piece}
          post={active}
          scheduledAt={scheduledAt}
          onSchedule={writing.setScheduledAt}
          onPublish={() => void writing.publish()}
          onClose={() => setChoice(null)}
        />
      )}
    </>
  )
}

function Own() {
  const own = account.value.data
  return (
    own && (
      <span class={css['avatar']}>
        <Avatar account={own} />
      </span>
    )
  )
}

/** Takes files that are dropped on it. */
function useDropping(onFiles: (files: FileList) => void) {
  const [isOver, setOver] = useState(false)
  return {
    'data-dropping': isOver,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      if (!event.dataTransfer?.files.length) return
      event.preventDefault()
      setOver(false)
      onFiles(event.dataTransfer.files)
    },
  }
}

/** Publishes what is written: an edit at once, all else after some seconds. */
function usePublish(piece: Piece, scheduledAt: string | null, onDone: () => void) {
  const [isBusy, setBusy] = useState(false)
  async function publish(): Promise<void> {
    const { posts, quotedId } = piece.content.peek()
    const said = posts.filter((post) => !isBlank(post))
    if (said.length < posts.length && (said.length > 0 || quotedId === null)) piece.change({ posts: said })
    if (!piece.place.startsWith('edit:')) {
      onDone()
      return await publishSoon(piece, scheduledAt)
    }
    setBusy(true)
    try {
      await publishEdit(piece)
      onDone()
    } catch (error) {
      tell(wordsOf(error), 'problem')
    }
    setBusy(false)
  }
  return { publish, isBusy }
}
