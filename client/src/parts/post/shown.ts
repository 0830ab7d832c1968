// Posts that are on show when somebody comes back to them: no stream tells of all that happens to them meanwhile.
import { listen } from '../../api/streaming.ts'
import { isDrawn } from '../../core/drawn.ts'
import { nextTask } from '../../core/tasks.ts'
import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import { lookAgain } from '../../data/statuses.ts'

/** So many are looked at again, those in the middle of the window first. */
const max = 40

function idsOnShow(): string[] {
  const middle = innerHeight / 2
  return [...document.querySelectorAll<HTMLElement>('main article[data-status]')]
    .filter(isDrawn)
    .map((post) => ({ post, away: Math.abs(post.getBoundingClientRect().top - middle) }))
    .toSorted((one, other) => one.away - other.away)
    .slice(0, max)
    .map(({ post }) => post.dataset['anchor'] ?? '')
}

let isLooking = false

/** Asks for those on show again. Of what is gone a line says so. */
export async function lookAtShown(): Promise<void> {
  if (isLooking) return
  isLooking = true
  // By then the view that was come back to is drawn.
  await nextTask()
  isLooking = false
  const count = await lookAgain(idsOnShow())
  if (count > 0) tell(t.post.gone({ count }))
}

/** Looks at them from now on when the window is seen again, and when the stream is there again. */
export function followShown(): void {
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void lookAtShown()
  })
  listen({ stream: 'user' }, { event() {}, resync: (isFirst) => !isFirst && void lookAtShown() })
}
