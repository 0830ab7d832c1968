// What is not to outlive this process when it ends without having stopped what it started: by `process.exit`, as at a
// signal that interrupts a command, or by an uncaught error.

/** Has `step` done when this process ends. It has to be synchronous. Returns what takes it back. */
export function atExit(step: () => void): () => void {
  const attempt = () => {
    try {
      step()
    } catch {
      // It ends all the same, and the other steps are to be done.
    }
  }
  process.once('exit', attempt)
  return () => void process.off('exit', attempt)
}
