// People who read and write while processes are replaced.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { until } from '#test/run/patience.ts'

export type Author = Pick<Person, 'username' | 'accountId' | 'get' | 'post'>

/** Between two requests of one kind of one person, in milliseconds: a server that is busy starts slowly. */
const pace = 150

/** People who read and write, and never ask twice. */
export function startLoad(authors: readonly Author[]) {
  /** Ids of posts in their order → who wrote them. */
  const published = new Map<string, string>()
  const odd: string[] = []
  let going = true
  const keepOn = async (ask: (i: number) => ReturnType<Person['get']>, take: (body: Json) => void) => {
    for (let i = 0; going; i++) {
      const answer = await ask(i).catch((error: Error) => `${error.message}: ${String(error.cause)}`)
      if (typeof answer === 'string') odd.push(answer)
      else if (answer.status === 200) take(answer.body)
      else odd.push(`${answer.status} ${JSON.stringify(answer.body)}`)
      await sleep(pace)
    }
  }
  const write = (author: Author) =>
    keepOn(
      (i) => author.post('/api/v1/statuses', { status: `${author.username} ${i}` }),
      ({ id }) => published.set(id, author.username),
    )
  const read = (author: Author) =>
    keepOn(
      () => author.get('/api/v1/timelines/home'),
      () => {},
    )
  const all = Promise.all(authors.flatMap((author) => [write(author), read(author)]))
  return {
    /** Resolves after some more posts. */
    async some() {
      const enough = published.size + 10
      await until(
        () => published.size + odd.length > enough,
        () => `${enough} posts: ${published.size}, ${odd.join()}`,
      )
    },
    async end() {
      going = false
      await all
      return { published, odd }
    },
  }
}

/** Ids of all that somebody published, newest first. */
export async function readAllOf(author: Author): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const older = ids.length > 0 ? `&max_id=${ids.at(-1)}` : ''
    const { body } = await author.get(`/api/v1/accounts/${author.accountId}/statuses?limit=40${older}`)
    if (body.length === 0) return ids
    ids.push(...body.map(({ id }: { id: string }) => id))
  }
}
