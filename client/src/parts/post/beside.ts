// Where the focus goes from a post that is taken away: to the one that comes to stand in its place.
import { nextTask } from '../../core/tasks.ts'

/** The post below it in its list, else the one above, else the heading of the page. */
function besideOf(post: HTMLElement): HTMLElement | null {
  const list = post.closest('[role=feed]') ?? document
  const posts = [...list.querySelectorAll<HTMLElement>('article[tabindex]')]
  const at = posts.indexOf(post)
  return posts[at + 1] ?? posts[at - 1] ?? document.querySelector<HTMLElement>('main h1')
}

/** Takes the post away. The focus goes on to what is beside it, unless the post stands there all the same. */
export async function removeWithFocus(post: HTMLElement | null, remove: () => void): Promise<void> {
  const beside = post && besideOf(post)
  remove()
  // By then it is drawn anew, and the question before it closed.
  await nextTask()
  if (post?.isConnected === false) beside?.focus()
}
