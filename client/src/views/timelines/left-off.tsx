import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isOnline } from '../../api/client.ts'
import { t } from '../../core/texts.ts'
import { followMark, followReading, loadMark, readMark } from '../../data/reading-mark.ts'
import { timelineOf } from '../../data/timeline.ts'
import { Button } from '../../parts/controls/button.tsx'
import { restorePosition } from '../../router/position.ts'
import * as sources from './sources.ts'
import css from './left-off.module.css'

/** Where home was left on any device, before this one moves the marker on. */
const left = signal<string | null>(null)
let looking: Promise<void> | null = null

/** Once. Rejects where it could not be asked. */
function look(): Promise<void> {
  looking ??= loadMark().then(() => {
    left.value = readMark.peek()
  })
  looking.catch(() => (looking = null))
  return looking
}

/** Shows home at this post, also where it still waits above. */
function goTo(id: string): void {
  left.value = null
  const timeline = timelineOf(sources.home)
  if (timeline.waiting.peek().includes(id)) timeline.showWaiting()
  void timeline.reach(id).then(() => restorePosition({ anchor: id, top: 64 }))
}

/** Home is read on elsewhere: nobody who reads here is moved, but a page that nobody looks at follows. */
function follow(id: string): void {
  if (document.hidden) goTo(id)
  else left.value = id
}

/** A way to where home was left, here or on another device, where that is not at its top. */
export function LeftOff() {
  const isThere = isOnline.value
  useEffect(() => {
    const stops: (() => void)[] = []
    let isGone = false
    void look().then(
      () => {
        if (!isGone) stops.push(followReading(), followMark(follow))
      },
      // Who does not know where it was left does not say that it was left here.
      () => {},
    )
    return () => {
      isGone = true
      for (const stop of stops) stop()
    }
  }, [isThere])
  const { entries, waiting } = timelineOf(sources.home)
  const newest = waiting.value[0] ?? entries.value.find((entry) => entry.kind === 'post')?.id
  const mark = left.value
  if (mark === null || newest === undefined) return null
  const isAtTop = mark === entries.value[0]?.id || BigInt(mark) > BigInt(newest)
  if (isAtTop) return null
  return (
    <div class={css['bar']}>
      <Button look="plain" onClick={() => goTo(mark)}>
        {t.timeline.leftOff}
      </Button>
    </div>
  )
}
