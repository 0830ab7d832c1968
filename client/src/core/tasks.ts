// Work in several tasks, so that what is typed, tapped and drawn between them does not wait for all of it.

interface Scheduler {
  yield?(): Promise<void>
}

const { scheduler } = globalThis as { scheduler?: Scheduler }

/** The task after this one: the browser may draw, and answer who uses the page, before it. */
export const nextTask = (): Promise<void> =>
  scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve, 0))
