// The answers to a post as a tree that stays readable when there are thousands: rows, of which some are shown at a time.
import { useMemo, useState } from 'preact/hooks'
import { t } from '../../core/texts.ts'
import { statusOf } from '../../data/statuses.ts'
import { nameOf } from '../../parts/account/account-name.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { Icon } from '../../parts/controls/icon.tsx'
import { End } from '../../parts/page/end.tsx'
import { PostOf } from '../../parts/post/post.tsx'
import css from './thread.module.css'
import { rowsOf, step, type Folds, type Row, type Thread } from './tree.ts'

/** How many rows are laid out at a time. */
const atOnce = 60

interface Hands {
  fold(id: string): void
  showMore(id: string): void
  /** Goes to a post of the page, and offers the way back. */
  jump(from: string, to: string): void
}

export function Answers({ thread, count }: { thread: Thread; count: number }) {
  const [folds, setFolds] = useState<Folds>({ folded: new Set(), shown: new Map() })
  const [max, setMost] = useState(atOnce)
  const [origin, setOrigin] = useState<string | null>(null)
  const rows = useMemo(() => rowsOf(thread, folds), [thread, folds])
  const hands: Hands = {
    fold: (id) =>
      setFolds(({ folded, shown }) => {
        const next = new Set(folded)
        if (!next.delete(id)) next.add(id)
        return { folded: next, shown }
      }),
    showMore: (id) =>
      setFolds(({ folded, shown }) => {
        const now = rows.filter((row) => row.kind === 'post' && row.parent === id).length
        return { folded, shown: new Map(shown).set(id, now + step) }
      }),
    jump(from, to) {
      setOrigin(from)
      focusPost(to)
    },
  }
  return (
    <>
      <h2 class={css['heading']}>{count === 0 ? t.thread.noAnswers : t.thread.answers({ count })}</h2>
      {rows.slice(0, max).map((row) => (
        <AnswerRow key={`${row.kind}${row.id}`} row={row} hands={hands} />
      ))}
      {rows.length > max && <End onSeen={() => setMost(max + atOnce)} busy={false} />}
      {origin !== null && (
        <div class={css['return']}>
          <Button
            look="main"
            onClick={() => {
              focusPost(origin)
              setOrigin(null)
            }}
          >
            {t.thread.return}
          </Button>
        </div>
      )}
    </>
  )
}

function focusPost(id: string): void {
  const post = document.querySelector<HTMLElement>(`section [data-status="${CSS.escape(id)}"]`)
  post?.scrollIntoView({ block: 'center' })
  post?.focus({ preventScroll: true })
}

function AnswerRow({ row, hands }: { row: Row; hands: Hands }) {
  const depth = css[`depth${row.depth}`]
  if (row.kind === 'more')
    return (
      <div class={`${css['more']} ${depth}`}>
        <button type="button" onClick={() => hands.showMore(row.id)}>
          {t.thread.more({ count: row.count })}
        </button>
      </div>
    )
  if (row.kind === 'deeper') return <Deeper row={row} depth={depth ?? ''} />
  const { id, below, isFolded, parent, isAway } = row
  return (
    <div class={`${css['answer']} ${depth}`}>
      {isAway && row.depth > 0 && <UpTo id={id} parent={parent} hands={hands} />}
      <PostOf id={id} context="thread" isBelowAnswered={!isAway || row.depth > 0} />
      {below > 0 && (
        <button type="button" class={css['fold']} aria-expanded={!isFolded} onClick={() => hands.fold(id)}>
          <Icon name={isFolded ? 'down' : 'up'} size={16} />
          {isFolded ? t.thread.unfold({ count: below }) : t.thread.fold({ count: below })}
        </button>
      )}
    </div>
  )
}

/** Where an answer belongs that does not stand right below what it answers. */
function UpTo({ id, parent, hands }: { id: string; parent: string; hands: Hands }) {
  const answered = statusOf(parent)?.value
  if (!answered) return null
  return (
    <button type="button" class={css['fold']} onClick={() => hands.jump(id, parent)}>
      <Icon name="up" size={16} />
      {t.thread.upTo({ name: nameOf(answered.account) })}
    </button>
  )
}

function Deeper({ row: { id, count }, depth }: { row: Row & { kind: 'deeper' }; depth: string }) {
  const post = statusOf(id)?.value
  if (!post) return null
  return (
    <p class={`${css['more']} ${depth}`}>
      <a href={`/@${post.account.acct}/${id}`}>{t.thread.deeper({ count })}</a>
    </p>
  )
}
