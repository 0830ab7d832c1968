// Where the focus goes from a post that is taken away: to the one that comes to stand in its place.
import { effect } from '@preact/signals'
import { nextTask } from '../../core/tasks.ts'
import { hiddenAuthors } from '../../data/relationships.ts'
import { deletedIds } from '../../data/statuses.ts'

/** By which posts the focus goes: in its list those below it, from the next one on, then those above; then all others. */
function besideOf(post: HTMLElement): HTMLElement[] {
  const lists = [post.closest('[role=feed], section'), document.querySelector('main')]
  return lists.flatMap((list) => {
    const posts = [...(list?.querySelectorAll<HTMLElement>('article[tabindex]') ?? [])]
    const at = posts.indexOf(post)
    return [...posts.slice(at + 1), ...posts.slice(0, Math.max(0, at)).toReversed()]
  })
}

/**
 * Takes the post away. The focus goes on to what is beside it and stays, else to the heading of the page; unless the post
 * stands there all the same.
 */
export async function removeWithFocus(post: HTMLElement | null, remove: () => void): Promise<void> {
  const beside = post ? besideOf(post) : []
  remove()
  // By then it is drawn anew, and the question before it closed.
  await nextTask()
  if (post?.isConnected !== false) return
  const next = beside.find((one) => one.isConnected) ?? document.querySelector<HTMLElement>('main h1')
  next?.focus()
}

/** Who reads a post that somebody else takes away, or another window, or whose author they mute, reads on beside it. */
export function followFocus(): void {
  effect(() => {
    const gone = deletedIds.value.size + hiddenAuthors.value.size
    // Nothing is drawn anew before this is through.
    const post = document.activeElement?.closest<HTMLElement>('article') ?? null
    if (gone > 0 && post) void removeWithFocus(post, () => {})
  })
}
