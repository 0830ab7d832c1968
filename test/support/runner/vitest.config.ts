import { defineConfig } from 'vitest/config'
import usual from '../../../vitest.config.ts'

const [folderSetup = ''] = [usual.test?.globalSetup ?? []].flat()

/** The suite's own settings, for files that no run of the suite takes; only the large one wants a database. */
export default defineConfig({
  test: {
    ...usual.test,
    ...(process.env['SAMPLE'] !== 'large' && { globalSetup: [folderSetup] }),
    include: ['test/support/runner/*.sample.ts'],
    maxWorkers: 1,
  },
})
