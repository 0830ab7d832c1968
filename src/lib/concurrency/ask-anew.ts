/**
 * Returns `ask` for many callers: one question is under way at a time, and whoever calls meanwhile shares the next one.
 * So an answer is never to a question that was asked before the call.
 */
export function askAnew<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null
  function begin(): Promise<T> {
    const question = last.then(() => {
      next = null
      return ask()
    })
    last = question.catch(() => {})
    return question
  }
  return () => (next ??= begin())
}
