import { defineConfig } from 'vitest/config'
import { countReporter } from './test/support/count-reporter.ts'
import { LongestFirst } from './test/support/longest-first.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What effects do comes late where much is done at once; a second, which is usual, is not enough.
    expect: { poll: { timeout: 20_000 } },
    // Several servers share two cores in these tests. What passes only when tried again is named at the end of the run.
    retry: process.env.CI ? 1 : 0,
    pool: 'forks',
    reporters: ['default', countReporter],
    // Files run side by side, each on a database of its own; within a file, one after another.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // A process runs one file after another: loading all of the program takes longer than the tests of many a file.
    isolate: false,
    setupFiles: ['test/support/own-globals.ts'],
  },
})
