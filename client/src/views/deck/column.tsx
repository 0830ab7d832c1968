// One of the columns: a timeline that is scrolled by itself.
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { t } from '../../core/texts.ts'
import { useAccount } from '../../data/account.ts'
import { idOf, type Column } from './columns.ts'
import { Icon } from '../../parts/controls/icon.tsx'
import { Menu, type MenuItem } from '../../parts/controls/menu.tsx'
import { Feed } from '../../parts/feed/feed.tsx'
import { FeedFrame } from '../../parts/feed/frame.ts'
import { Problem } from '../../parts/page/problem.tsx'
import { rememberPosition } from '../../router/position.ts'
import { ConversationList } from '../conversations/list.tsx'
import { NotificationList } from '../notifications/list.tsx'
import { KeptSearch } from '../search/results.tsx'
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
  switch (column.kind) {
    case 'notifications':
      return <NotificationList name={title} empty={t.notifications.empty} marks />
    case 'conversations':
      return <ConversationList />
    case 'account':
      return <PostsOf acct={column.about} title={title} />
    case 'search':
      return <KeptSearch q={column.about} />
    case 'tag':
      return <Feed name={title} source={sources.ofTag(column.about, noTags)} empty={t.timeline.empty} />
    case 'list':
      return <Feed name={title} source={sources.ofList(column.about)} empty={t.timeline.empty} />
    case 'home':
      return <Feed name={title} source={sources.home} empty={t.timeline.homeEmpty} />
    default:
      return <Feed name={title} source={fixed[column.kind]} empty={t.timeline.empty} />
  }
}

const { local, everything, remote, bookmarks, favourites } = sources
const fixed = { local, everything, remote, bookmarks, favourites }
const noTags = { any: [], all: [], none: [] }

function PostsOf({ acct, title }: { acct: string; title: string }) {
  const { account, error, retry } = useAccount(acct)
  if (error.value !== null) return <Problem text={error.value} onRetry={retry} />
  if (!account.value) return null
  return <Feed name={title} source={sources.ofAccount(account.value.id)} empty={t.timeline.empty} />
}
