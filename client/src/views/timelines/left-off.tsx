import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../../core/texts.ts'
import { followReading, loadMark, readMark } from '../../data/reading-mark.ts'
import { timelineOf } from '../../data/timeline.ts'
import { Button } from '../../parts/controls/button.tsx'
import { restorePosition } from '../../router/position.ts'
import * as sources from './sources.ts'
import css from './left-off.module.css'

/** Where home was left on any device, before this one moves the marker on. */
const left = signal<string | null>(null)
let isLoaded = false

async function look(): Promise<void> {
  if (isLoaded) return
  isLoaded = true
  await loadMark().catch(() => {})
  left.value = readMark.peek()
}

/** A way back to where home was left, where that is not at its top. */
export function LeftOff() {
  useEffect(() => {
    let stop: (() => void) | null = null
    let isGone = false
    void look().then(() => {
      if (!isGone) stop = followReading()
    })
    return () => {
      isGone = true
      stop?.()
    }
  }, [])
  const { entries } = timelineOf(sources.home)
  const newest = entries.value.find((entry) => entry.kind === 'post')?.id
  const mark = left.value
  if (mark === null || newest === undefined || BigInt(mark) >= BigInt(newest)) return null
  return (
    <div class={css['bar']}>
      <Button
        look="plain"
        onClick={() => {
          left.value = null
          void timelineOf(sources.home)
            .reach(mark)
            .then(() => restorePosition({ anchor: mark, top: 64 }))
        }}
      >
        {t.timeline.leftOff}
      </Button>
    </div>
  )
}
