// What the server under test sent to a peer.
import type { Json } from '#test/client/client.ts'
import { patience } from '#test/run/patience.ts'
import type { Arrived, Signed } from './verify.ts'

export interface PeerPost extends Arrived {
  /** The parsed activity; null when it is no JSON. */
  readonly json: Json
  /** Who signed, when the signature is good. */
  readonly signed: Signed | null
  /** The id of the actor who signed; '' when the signature is not good. */
  readonly signer: string
  /** What is wrong with the signature. */
  readonly problem: string | null
  /** The status that it was answered with; 0 when the connection was cut. */
  answered: number
}

/** What to take: a type such as `Follow`, or a condition. */
export type Wanted = string | ((post: PeerPost) => boolean)

export interface PeerInbox extends ReadonlyArray<PeerPost> {
  /** Those of a type, whatever they were answered with. */
  of(wanted: Wanted): PeerPost[]
  types(): string[]
  /** Forgets all, so that what comes later is looked at alone. */
  clear(): void
}

export interface ReceivedOptions {
  /** Milliseconds to wait at most. Default 30,000. */
  within?: number
  /** Takes posts with a bad signature too. */
  unsigned?: boolean
}

export interface PostBox {
  readonly inbox: PeerInbox
  add(post: PeerPost): void
  /** See `Peer.received`. */
  received(wanted: Wanted, count?: number, options?: ReceivedOptions): Promise<PeerPost[]>
}

export function createPostBox(): PostBox {
  const posts: PeerPost[] = []
  const waiters = new Set<() => void>()
  const of = (wanted: Wanted) =>
    posts.filter((post) => (typeof wanted === 'string' ? post.json?.type === wanted : wanted(post)))
  const inbox: PeerInbox = Object.assign(posts, {
    of,
    types: () => posts.map((post) => String(post.json?.type)),
    clear: () => void (posts.length = 0),
  })

  /** Resolves with the next post, or rejects when there is none in time. */
  function nextPost(deadline: number, describe: () => string): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiters.delete(wake)
        reject(new Error(describe()))
      }, deadline - performance.now())
      const wake = () => {
        clearTimeout(timer)
        waiters.delete(wake)
        resolve()
      }
      waiters.add(wake)
    })
  }

  return {
    inbox,
    add(post) {
      posts.push(post)
      for (const wake of waiters) wake()
    },
    async received(wanted, count = 1, options = {}) {
      const deadline = performance.now() + (options.within ?? patience)
      const describe = () =>
        `${of(wanted).length} instead of ${count} posts of ${wanted} arrived; there are: ${inbox.types().join(', ') || 'none'}`
      while (of(wanted).length < count) await nextPost(deadline, describe)
      const found = of(wanted)
      const bad = options.unsigned ? undefined : found.find((post) => post.signed === null)
      if (bad) throw new Error(`a ${bad.json?.type} is not signed as it should be: ${bad.problem}`)
      return found
    },
  }
}
