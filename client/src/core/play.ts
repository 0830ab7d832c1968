// What is animated and stands still plays while somebody points at what it stands in, or the focus is there.

/** Parts of the page whose pictures play together; of those that stand in each other, the outermost. */
const parts = '[data-plays], a, button, img'

/** What a picture shows, and what it shows meanwhile where it stands still. */
export const pictureOf = (moving: string, still: string, moves: boolean) =>
  moves || moving === still ? { src: moving } : { src: still, 'data-moving': moving, 'data-still': still }

const played = new Map<'focus' | 'pointer', Element>()

function partAt(target: EventTarget | null): Element | undefined {
  let part: Element | undefined
  for (let at = target; at instanceof Element; at = part.parentElement) {
    const outer = at.closest(parts)
    if (!outer) break
    part = outer
  }
  return part
}

function play(by: 'focus' | 'pointer', part: Element | undefined): void {
  const before = played.get(by)
  if (before === part) return
  if (part) played.set(by, part)
  else played.delete(by)
  const now = [...played.values()]
  for (const one of [before, part])
    for (const picture of one ? [one, ...one.querySelectorAll('img')] : []) {
      const { moving, still } = (picture as HTMLImageElement).dataset
      const src = one && now.includes(one) ? moving : still
      // The same one again would begin anew.
      if (src !== undefined && picture.getAttribute('src') !== src) picture.setAttribute('src', src)
    }
}

/** Listens from now on, once for the whole page. */
export function startPlaying(): void {
  const page = document.documentElement
  page.addEventListener('pointerover', ({ target, pointerType }) => {
    if (pointerType !== 'touch') play('pointer', partAt(target))
  })
  page.addEventListener('pointerleave', () => play('pointer', undefined))
  page.addEventListener('focusin', ({ target }) =>
    play('focus', (target as Element).matches(':is(a, button):focus-visible') ? partAt(target) : undefined),
  )
  page.addEventListener('focusout', () => play('focus', undefined))
  // What cannot be loaded, without a network for instance, stands still: only then is it known to be missing.
  page.addEventListener(
    'error',
    (event) => {
      const picture = event.target as HTMLImageElement
      const { moving, still } = picture.dataset
      if (still === undefined || picture.getAttribute('src') !== moving) return
      event.stopPropagation()
      picture.src = still
    },
    true,
  )
}
