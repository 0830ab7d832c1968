import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { countReporter } from './test/support/run/count-reporter.ts'
import { errorReporter } from './test/support/run/error-reporter.ts'
import { durationReporter, SlowestFirst } from './test/support/run/slowest-first.ts'
import { patience } from './test/support/run/patience.ts'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'client/src/**/*.test.ts',
      'test/**/*.test.ts',
      'scripts/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    // The first ends last.
    globalSetup: ['test/support/run/folder-setup.ts', 'test/support/run/global-setup.ts'],
    // These are for what hangs: nothing that ends comes near them, on a slow machine neither.
    testTimeout: 5 * patience,
    hookTimeout: 5 * patience,
    expect: { poll: { timeout: patience } },
    // What passes only when tried again is named at the end of the run, and is a defect to mend.
    retry: process.env['CI'] ? 1 : 0,
    pool: 'forks',
    // Node reads TypeScript by itself, as it does in service: transforming every module first costs a fifth of it all.
    experimental: { viteModuleRunner: false },
    // Most of what tests make is thrown away at once: looking through it less often saves a tenth of the processor's time,
    // and threads that help with it, where all cores are busy, wait for each other: without them it is another tenth.
    execArgv: ['--max-semi-space-size=64', '--single-threaded-gc'],
    reporters: ['default', errorReporter, durationReporter, countReporter],
    // Files run side by side, each on a database of its own; within a file, one after another. Two more than there are
    // cores: those that start other programs wait a fifth of the time.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SlowestFirst },
    // A process runs one file after another: loading all of the program takes longer than the tests of many a file.
    isolate: false,
    setupFiles: [
      'test/support/run/own-processes.ts',
      'test/support/run/own-globals.ts',
      'test/support/run/own-fetch.ts',
    ],
  },
})
