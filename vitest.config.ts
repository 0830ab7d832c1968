import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { countReporter } from './test/support/run/count-reporter.ts'
import { errorReporter } from './test/support/run/error-reporter.ts'
import { SlowestFirst } from './test/support/run/slowest-first.ts'
import { patience } from './test/support/run/patience.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'client/src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['test/support/run/global-setup.ts'],
    // These are for what hangs: nothing that ends comes near them, on a slow machine neither.
    testTimeout: 5 * patience,
    hookTimeout: 5 * patience,
    expect: { poll: { timeout: patience } },
    // What passes only when tried again is named at the end of the run, and is a defect to mend.
    retry: process.env['CI'] ? 1 : 0,
    pool: 'forks',
    reporters: ['default', errorReporter, countReporter],
    // Files run side by side, each on a database of its own; within a file, one after another. One more than there are
    // cores, since some wait for other programs.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowestFirst },
    // A process runs one file after another: loading all of the program takes longer than the tests of many a file.
    isolate: false,
    setupFiles: ['test/support/run/own-processes.ts', 'test/support/run/own-globals.ts'],
  },
})
