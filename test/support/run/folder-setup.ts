import type { TestProject } from 'vitest/node'
import { startWatchdog } from '#test/processes/processes.ts'
import { createRunFolder, placeOfRuns } from '#test/processes/run-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where everything temporary of the run lies. */
    runFolder: string
  }
}

/** One folder for the run, whose processes all end with it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runFolder = createRunFolder('stonechat-', placeOfRuns())
  const watchdog = await startWatchdog(runFolder)
  process.env['TMPDIR'] = runFolder
  project.provide('runFolder', runFolder)
  return () => watchdog.stop()
}
