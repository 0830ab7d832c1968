// Posts one below the other, as a feed (https://www.w3.org/WAI/ARIA/apg/patterns/feed/).
import { useContext, useEffect, useMemo } from 'preact/hooks'
import { t } from '../../core/texts.ts'
import { isDeleted } from '../../data/statuses.ts'
import {
  timelineOf,
  type Entry,
  type FilterContext,
  type Source,
  type Timeline,
} from '../../data/timeline.ts'
import { positionOf, restorePosition } from '../../router/position.ts'
import { arrival, entryKey } from '../../router/router.ts'
import { Button } from '../controls/button.tsx'
import css from './feed.module.css'
import { FeedFrame } from './frame.ts'
import { createGrouping, type Group } from './groups.ts'
import { useBuilt } from './far.ts'
import { PostOf } from '../post/post.tsx'
import { lookAtShown } from '../post/shown.ts'
import { End } from '../page/end.tsx'
import endCss from '../page/end.module.css'
import { Problem } from '../page/problem.tsx'

export interface FeedProps {
  /** Its name for screen readers. */
  name: string
  source: Source
  /** What stands there when there is none. */
  empty?: string
}

/** A timeline: new posts wait above, older ones come when the end is near. */
export function Feed({ name, source, empty = t.timeline.empty }: FeedProps) {
  const timeline = timelineOf(source)
  const frame = useContext(FeedFrame)
  const groupsOf = useMemo(createGrouping, [timeline])
  const position = useMemo(
    () => (frame || arrival.peek().isReturn ? positionOf(frame?.key ?? entryKey.peek()) : null),
    [timeline],
  )
  useEffect(() => {
    // What was read before is shown as it was then.
    if (timeline.entries.peek().length > 0) void lookAtShown()
    void timeline.start(position?.anchor)
    // What the window shows is put where it was by the outlet.
    if (frame && position) restorePosition(position, frame.element())
    return timeline.follow()
  }, [timeline])
  const { entries, waiting, loading, error, ended } = timeline
  const count = waiting.value.length
  const shown = entries.value.filter((entry) => !isDeleted(entry.id))
  // A feed without a post is none for screen readers.
  const isEmpty = shown.length === 0 && (ended.value || error.value !== null)
  return (
    <>
      <div class={css['waiting']} role="status">
        {count > 0 && (
          <Button
            look="main"
            data-action="new-posts"
            onClick={() => {
              timeline.showWaiting()
              ;(frame?.element() ?? globalThis).scrollTo({ top: 0, behavior: 'instant' })
            }}
          >
            {t.timeline.newPosts({ count })}
          </Button>
        )}
      </div>
      {!isEmpty && (
        <div role="feed" aria-label={name} aria-busy={loading.value} class={css['feed']}>
          {groupsOf(shown).map((group) => (
            <GroupOf
              key={group[0].page}
              group={group}
              timeline={timeline}
              context={source.context}
              anchor={position?.anchor}
            />
          ))}
        </div>
      )}
      {error.value !== null && <Problem text={error.value} onRetry={() => void timeline.loadOlder()} />}
      {isEmpty && ended.value && <p class={endCss['end']}>{empty}</p>}
      {!isEmpty && ended.value && <p class={endCss['end']}>{t.timeline.end}</p>}
      {!ended.value && error.value === null && (
        <End onSeen={() => void timeline.loadOlder()} busy={loading.value} />
      )}
    </>
  )
}

interface GroupProps {
  group: Group
  timeline: Timeline
  context: FilterContext | undefined
  /** The post at which the timeline was left. */
  anchor: string | undefined
}

/** As high as its posts are taken to be until they are drawn, and as they were before they were left out. */
const sizeOf = (group: Group, height: number | undefined, isWhole: boolean) => ({
  containIntrinsicBlockSize: `auto ${height === undefined ? `${12 * group.length}rem` : `${height}px`}`,
  minBlockSize: height === undefined || isWhole ? '' : `${height}px`,
})

function GroupOf({ group, timeline, context, anchor }: GroupProps) {
  const isAwaited = group.some(({ id }) => id === anchor)
  const { group: element, count: built, height } = useBuilt(group[0].page, group.length, isAwaited)
  // Who looks for what is missing finds it wherever it is.
  const count = group[0].kind === 'gap' ? group.length : built
  // Nothing of it is looked at again unless its posts are others.
  const posts = useMemo(
    () =>
      group
        .slice(0, count)
        .map((entry) =>
          entry.kind === 'post' ? (
            <PostOf key={entry.id} id={entry.id} {...(context && { context })} />
          ) : (
            <GapOf key={entry.id} gap={entry} timeline={timeline} />
          ),
        ),
    [group, count, timeline, context],
  )
  const isWhole = count === group.length
  return (
    <div
      ref={element}
      class={css['group']}
      style={sizeOf(group, height, isWhole)}
      data-holds={isWhole ? undefined : group.map(({ id }) => id).join(' ')}
    >
      {posts}
    </div>
  )
}

interface GapProps {
  gap: Extract<Entry, { kind: 'gap' }>
  timeline: Timeline
}

const GapOf = ({ gap, timeline }: GapProps) => (
  <article class={`${endCss['end']} ${css['gap']}`} aria-label={t.timeline.gap}>
    <Button
      data-action="fill-gap"
      onClick={() => void timeline.fillGap(gap)}
      disabled={timeline.loading.value}
    >
      {t.timeline.fillGap}
    </Button>
  </article>
)
