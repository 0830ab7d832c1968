// Where posts are written.
import { useRef, useState } from 'preact/hooks'
import type { Status } from '#entities/status.ts'
import { wordsOf } from '../../api/errors.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { publish as publishStatus } from '../../data/outbox.ts'
import { account, instance, preferences } from '../../data/session.ts'
import { timelineOf, type Source } from '../../data/timeline.ts'
import { Avatar } from '../account/avatar.tsx'
import { Button } from '../controls/button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import css from './composer.module.css'

type Visibility = Status['visibility']
const visibilities: readonly Visibility[] = ['public', 'unlisted', 'private', 'direct']

export interface ComposerProps {
  /** The timeline that shows the post at once. */
  source?: Source
}

/** What is being written, and how it is published. */
function useDraft(source: Source | undefined) {
  const [text, setText] = useState('')
  const [warning, setWarning] = useState<string | null>(null)
  const [chosen, setVisibility] = useState<Visibility | null>(null)
  const [busy, setBusy] = useState(false)
  // The same until it was published: what is sent twice is one post.
  const key = useRef(crypto.randomUUID())
  const visibility = chosen ?? preferences.value.data?.['posting:default:visibility'] ?? 'public'
  const max = instance.value.data?.configuration.statuses.max_characters ?? 500
  const left = max - [...text].length - [...(warning ?? '')].length
  const isReady = text.trim() !== '' && left >= 0 && !busy

  async function publish(event: Event): Promise<void> {
    event.preventDefault()
    if (!isReady) return
    setBusy(true)
    try {
      const body = { status: text, visibility, ...(warning !== null && { spoiler_text: warning }) }
      const status = await publishStatus(body, key.current)
      key.current = crypto.randomUUID()
      setText('')
      setWarning(null)
      if (source && status) timelineOf(source).prepend(status)
      tell(status ? t.compose.published : t.compose.waits)
    } catch (error) {
      tell(wordsOf(error), 'problem')
    }
    setBusy(false)
  }

  return { text, setText, warning, setWarning, visibility, setVisibility, left, isReady, publish }
}

/** The form *New post*. */
export function Composer({ source }: ComposerProps) {
  const draft = useDraft(source)
  const { text, warning, publish } = draft
  return (
    <form class={css['composer']} aria-label={t.compose.form} onSubmit={(event) => void publish(event)}>
      {account.value.data && <Avatar account={account.value.data} />}
      <div class={css['fields']}>
        {warning !== null && (
          <input
            value={warning}
            placeholder={t.compose.warningText}
            aria-label={t.compose.warningText}
            onInput={(event) => draft.setWarning(event.currentTarget.value)}
          />
        )}
        <textarea
          value={text}
          rows={2}
          dir="auto"
          placeholder={t.compose.placeholder}
          aria-label={t.compose.placeholder}
          onInput={(event) => draft.setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void publish(event)
          }}
        />
        <Choices draft={draft} />
      </div>
    </form>
  )
}

function Choices({ draft }: { draft: ReturnType<typeof useDraft> }) {
  const { warning, visibility, left } = draft
  return (
    <div class={css['row']}>
      <IconButton
        icon="warning"
        label={t.compose.warning}
        pressed={warning !== null}
        onClick={() => draft.setWarning(warning === null ? '' : null)}
      />
      <select
        aria-label={t.compose.visibility}
        value={visibility}
        onChange={(event) => draft.setVisibility(event.currentTarget.value as Visibility)}
      >
        {visibilities.map((one) => (
          <option key={one} value={one}>
            {t.visibility[one]}
          </option>
        ))}
      </select>
      <span class={css['left']} data-over={left < 0}>
        {left}
      </span>
      <Button look="main" type="submit" disabled={!draft.isReady}>
        {t.compose.publish}
      </Button>
    </div>
  )
}
