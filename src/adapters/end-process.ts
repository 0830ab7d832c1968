/** How long something forgotten may keep a process that has stopped, in milliseconds. */
const patience = 5_000

/**
 * Ends this process with `code` as soon as nothing is left that it waits for: for who has stopped what it started.
 * `process.exit` waits for V8's own threads without doing what they ask of it, and a thread that wants the heap
 * collected then waits for ever, and the process with it (nodejs/node issue 54918): it is only for what was forgotten.
 */
export function endProcess(code = 0): void {
  process.exitCode = code
  // oxlint-disable-next-line unicorn/no-process-exit -- something is left
  setTimeout(() => process.exit(code), patience).unref()
}
