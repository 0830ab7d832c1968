// One of the columns: a timeline that is scrolled by itself.
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { t } from '../../core/texts.ts'
import { idOf, type Column, type TimelineColumn, type TimelineKind } from './columns.ts'
import type { Source } from '../../data/timeline.ts'
import { Icon } from '../../parts/controls/icon.tsx'
import { Menu, type MenuItem } from '../../parts/controls/menu.tsx'
import { Feed } from '../../parts/feed/feed.tsx'
import { FeedFrame } from '../../parts/feed/frame.ts'
import { rememberPosition } from '../../router/position.ts'
import { NotificationList } from '../notifications/list.tsx'
import * as sources from '../timelines/sources.ts'
import css from './deck.module.css'
import { addressOf, icons } from './titles.ts'

export interface ColumnProps {
  column: Column
  title: string
  /** Null at the ends. */
  onEarlier: (() => void) | null
  onLater: (() => void) | null
  onRemove: () => void
  onDrag: () => void
  onDrop: () => void
}

export function DeckColumn({ column, title, ...does }: ColumnProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const id = idOf(column)
  const frame = useMemo(() => ({ key: `deck:${id}`, element: () => scroller.current }), [id])
  useLayoutEffect(() => {
    const remember = () => rememberPosition(frame.key, scroller.current)
    addEventListener('pagehide', remember)
    return () => {
      remember()
      removeEventListener('pagehide', remember)
    }
  }, [frame])
  return (
    <section
      class={css['column']}
      data-column={id}
      aria-label={title}
      onDragOver={(event) => event.preventDefault()}
      onDrop={does.onDrop}
    >
      <header class={css['head']} draggable onDragStart={does.onDrag}>
        <Icon name={icons[column.kind]} />
        <h2>
          <a href={addressOf(column)} draggable={false}>
            <bdi>{title}</bdi>
          </a>
        </h2>
        <Menu label={t.deck.menu({ title })} items={() => itemsOf(does)} />
      </header>
      <div ref={scroller} class={css['scroller']}>
        <FeedFrame.Provider value={frame}>
          <Content column={column} title={title} />
        </FeedFrame.Provider>
      </div>
    </section>
  )
}

const itemsOf = ({
  onEarlier,
  onLater,
  onRemove,
}: Omit<ColumnProps, 'column' | 'title'>): (MenuItem | null)[] => [
  ...(onEarlier ? [{ label: t.deck.earlier, icon: 'back' as const, run: onEarlier }] : []),
  ...(onLater ? [{ label: t.deck.later, icon: 'forward' as const, run: onLater }] : []),
  { label: t.deck.remove, icon: 'trash', run: onRemove },
]

function Content({ column, title }: { column: Column; title: string }) {
  if (column.kind === 'notifications')
    return <NotificationList name={title} empty={t.notifications.empty} marks />
  const source = sourceOf(column)
  const empty = source === home ? t.timeline.homeEmpty : t.timeline.empty
  return <Feed name={title} source={source} empty={empty} />
}

const { home, local, everything, remote, bookmarks, favourites } = sources
const ofKind: Readonly<Record<TimelineKind, Source>> = {
  home,
  local,
  everything,
  remote,
  bookmarks,
  favourites,
}
const noTags = { any: [], all: [], none: [] }

function sourceOf(column: TimelineColumn): Source {
  if (column.kind === 'tag') return sources.ofTag(column.about, noTags)
  if (column.kind === 'list') return sources.ofList(column.about)
  return ofKind[column.kind]
}
