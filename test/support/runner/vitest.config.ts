import { defineConfig } from 'vitest/config'
import usual from '../../../vitest.config.ts'

/** The suite's own settings, for a file that no run of the suite takes. */
export default defineConfig({
  test: { ...usual.test, include: ['test/support/runner/*.sample.ts'], maxWorkers: 1 },
})
