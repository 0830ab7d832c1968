// What goes with a test file. Node never lets a module go, nor Vitest the hooks of a file: whatever the variables of a
// file hold would stay for as long as its process runs the files after it.

/** How what the file that runs holds is let go. */
const held = new Set<() => void>()

/** Returns what answers `value` until its test file has ended, and throws from then on. */
export function holdForFile<T extends object>(value: T): () => T {
  let kept: T | null = value
  held.add(() => (kept = null))
  return () => {
    if (kept === null) throw new Error('the test file that it belonged to has ended')
    return kept
  }
}

/** For when all hooks of a file have run. */
export function letGo(): void {
  for (const forget of held) forget()
  held.clear()
}
