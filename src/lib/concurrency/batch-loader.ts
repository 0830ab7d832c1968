/** In the order of the items; of work that nobody wants an answer of, nothing will do. */
type Answers<R> = [R] extends [void] ? readonly R[] | void : readonly R[]

/** Work that costs little more for many items than for one. */
export interface BatchLoader<S extends object, T, R> {
  run(scope: S, items: readonly T[]): Promise<Answers<R>>
  /** How many items are taken together at most. */
  max: number
  /** A failure is that of all who were taken together: where it has nothing to do with their items. */
  failsTogether?: boolean
}

interface Call<T, R> {
  item: T
  answer: PromiseWithResolvers<R>
}

/**
 * Makes calls with one item each share their work: those that come while some are at work, or in the same turn, are done
 * together afterwards. Alone, a call begins at once. When many fail together each is done again by itself, so that none
 * fails for another's sake: the work must bear that, or be `failsTogether`. `scope`: calls of different scopes are never
 * done together.
 */
export function createBatchLoader<S extends object, T, R>(
  batching: BatchLoader<S, T, R>,
): (scope: S, item: T) => Promise<R> {
  const queues = new WeakMap<S, (item: T) => Promise<R>>()
  return (scope, item) => {
    const queue = queues.get(scope) ?? createQueue(scope, batching)
    queues.set(scope, queue)
    return queue(item)
  }
}

function createQueue<S extends object, T, R>(
  scope: S,
  { run, max, failsTogether = false }: BatchLoader<S, T, R>,
): (item: T) => Promise<R> {
  const work = (items: readonly T[]) => run(scope, items)
  let waiting: Call<T, R>[] = []
  let isRunning = false

  async function runAll(): Promise<void> {
    isRunning = true
    while (waiting.length > 0) {
      await new Promise(setImmediate)
      const calls = waiting.slice(0, max)
      waiting = waiting.slice(max)
      await runCalls(calls, work, failsTogether)
    }
    isRunning = false
  }

  return (item) => {
    const answer = Promise.withResolvers<R>()
    waiting.push({ item, answer })
    if (!isRunning) void runAll()
    return answer.promise
  }
}

async function runCalls<T, R>(
  calls: readonly Call<T, R>[],
  work: (items: readonly T[]) => Promise<Answers<R>>,
  failsTogether: boolean,
): Promise<void> {
  try {
    const results = ((await work(calls.map(({ item }) => item))) ?? []) as readonly R[]
    for (const [index, { answer }] of calls.entries()) answer.resolve(results[index] as R)
  } catch (error) {
    if (failsTogether || calls.length === 1) for (const { answer } of calls) answer.reject(error)
    else for (const call of calls) await runCalls([call], work, failsTogether)
  }
}
