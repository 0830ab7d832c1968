import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../core/texts.ts'
import css from './end.module.css'

/** The end of what is loaded: asks for more before it is reached. */
export function End({ onSeen, busy }: { onSeen: () => void; busy: boolean }) {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some((entry) => entry.isIntersecting)) onSeen()
      },
      // Of the window, and of what is scrolled by itself.
      { rootMargin: '1200px', scrollMargin: '1200px' } as IntersectionObserverInit,
    )
    if (mark.current && !busy) observer.observe(mark.current)
    return () => observer.disconnect()
  })
  return (
    <div ref={mark} class={css['end']}>
      {busy && <span>{t.common.loading}</span>}
    </div>
  )
}
