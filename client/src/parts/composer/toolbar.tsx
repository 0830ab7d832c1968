// The buttons below what is written.
import { useRef } from 'preact/hooks'
import { confirm } from '../../core/confirm.ts'
import { t } from '../../core/texts.ts'
import { preferences } from '../../data/session.ts'
import { clearPlace } from '../../data/writing/begin.ts'
import { newPoll, type Content, type WrittenPost } from '../../data/writing/content.ts'
import { languageOf } from '../../data/writing/languages.ts'
import type { Piece } from '../../data/writing/piece.ts'
import { charactersLeft, isReady, limits } from '../../data/writing/readiness.ts'
import { Button } from '../controls/button.tsx'
import type { IconName } from '../controls/icon.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Menu, type MenuItem } from '../controls/menu.tsx'
import type { Choice } from './choices/choice-dialog.tsx'
import css from './composer.module.css'
import { addFiles } from './media/add-files.ts'

export interface ToolbarProps {
  piece: Piece
  /** The post that the buttons are about. */
  post: WrittenPost
  isBusy: boolean
  onChoose: (choice: Choice) => void
  onAddPost: () => void
}

const icons: Readonly<Record<NonNullable<Content['visibility']>, IconName>> = {
  public: 'globe',
  unlisted: 'unlisted',
  private: 'lock',
  direct: 'at',
}

export function Toolbar({ piece, post, isBusy, onChoose, onAddPost }: ToolbarProps) {
  const content = piece.content.value
  const left = charactersLeft(post)
  const usual = preferences.value.data?.['posting:default:visibility'] ?? 'public'
  const visibility = content.visibility ?? usual
  const language = languageOf(post)
  const isEdit = piece.place.startsWith('edit:')
  const change = (update: Partial<WrittenPost>) => piece.changePost(post.key, () => update)
  return (
    <div class={css['row']}>
      <MediaButton piece={piece} post={post} />
      <IconButton
        icon="poll"
        label={t.compose.addPoll}
        pressed={post.poll !== null}
        disabled={post.media.length > 0}
        onClick={() => change({ poll: post.poll ? null : newPoll() })}
      />
      <IconButton
        icon="warning"
        data-action="content-warning"
        label={t.compose.warning}
        pressed={post.warning !== null}
        onClick={() => change({ warning: post.warning === null ? '' : null })}
      />
      <IconButton icon="smile" label={t.compose.emoji} onClick={() => onChoose('emoji')} />
      <span class={css['language']} data-code={language.code}>
        <IconButton
          icon="language"
          label={t.compose.language}
          title={`${t.compose.language}: ${language.name}`}
          onClick={() => onChoose('language')}
        />
      </span>
      <IconButton
        icon={icons[visibility]}
        label={t.compose.visibility}
        title={`${t.compose.visibility}: ${t.visibility[visibility]}`}
        onClick={() => onChoose('visibility')}
      />
      <Menu label={t.compose.more} items={() => moreItems(piece, post, onChoose)} />
      <span class={css['end']}>
        {!isEdit && (
          <IconButton icon="plus" label={t.compose.addPost} disabled={post.text === ''} onClick={onAddPost} />
        )}
        <span class={css['left']} data-over={left < 0} title={t.compose.left({ count: left })}>
          {left}
        </span>
        <Button look="main" type="submit" disabled={!isReady(piece) || isBusy}>
          {t.compose.publish}
        </Button>
      </span>
    </div>
  )
}

function moreItems(piece: Piece, post: WrittenPost, onChoose: (choice: Choice) => void): (MenuItem | null)[] {
  const { isMarkdown, posts } = piece.content.peek()
  const hasMarkdown = limits()?.statuses.supported_mime_types.includes('text/markdown') ?? false
  const isEdit = piece.place.startsWith('edit:')
  return [
    ...(isEdit || posts.length > 1
      ? []
      : [{ label: t.compose.schedule, icon: 'calendar' as const, run: () => onChoose('schedule') }]),
    ...(hasMarkdown
      ? [
          {
            label: isMarkdown ? t.compose.plainText : t.compose.markdown,
            icon: 'hash' as const,
            run: () => piece.change({ isMarkdown: !isMarkdown }),
          },
        ]
      : []),
    ...(post.media.length > 0
      ? [
          {
            label: post.sensitive ? t.compose.notSensitive : t.compose.sensitive,
            icon: 'eye' as const,
            run: () => piece.changePost(post.key, ({ sensitive }) => ({ sensitive: !sensitive })),
          },
        ]
      : []),
    { label: t.compose.camera, icon: 'picture', run: () => takePicture(piece, post.key) },
    { label: t.compose.drafts, icon: 'drafts', href: '/drafts' },
    { label: t.compose.discard, icon: 'trash', isAlarming: true, run: () => askDiscard(piece) },
  ]
}

function askDiscard(piece: Piece): void {
  const { place } = piece
  const run = () => void piece.discard().then(() => clearPlace(place))
  confirm({ title: t.compose.discard, text: t.compose.askDiscard, action: t.compose.discard, run })
}

/** Where there is a camera, browsers open it; else they ask for a file. */
function takePicture(piece: Piece, postKey: string): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = 'image/*,video/*'
  input.setAttribute('capture', 'environment')
  input.addEventListener('change', () => addFiles(piece, postKey, input.files ?? []))
  input.click()
}

function MediaButton({ piece, post }: { piece: Piece; post: WrittenPost }) {
  const input = useRef<HTMLInputElement>(null)
  const max = limits()?.statuses.max_media_attachments ?? 4
  return (
    <>
      <IconButton
        icon="picture"
        label={t.compose.addMedia}
        disabled={post.poll !== null || post.media.length >= max}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={limits()?.media_attachments.supported_mime_types.join(',') ?? ''}
        onChange={(event) => {
          const { currentTarget } = event
          addFiles(piece, post.key, currentTarget.files ?? [])
          currentTarget.value = ''
        }}
      />
    </>
  )
}
