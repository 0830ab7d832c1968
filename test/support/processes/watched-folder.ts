// For checks and benchmarks, which start servers and databases and are no tests.
import { startWatchdog } from './processes.ts'
import { createRunFolder } from './run-folder.ts'

/**
 * Calls `use` with a new folder for temporary files, in `parent` if that is given. All that runs with the folder in its
 * environment, its arguments or as its working folder ends, and the folder is removed, with the call, or with this
 * process, however that ends.
 */
export async function withWatchedFolder<T>(
  prefix: string,
  use: (folder: string) => Promise<T>,
  parent?: string,
): Promise<T> {
  const folder = createRunFolder(prefix, parent)
  const watchdog = await startWatchdog(folder)
  try {
    return await use(folder)
  } finally {
    await watchdog.stop()
  }
}
