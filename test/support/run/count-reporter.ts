import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { describeError } from './error-reporter.ts'

/**
 * Prints `N passed, N failed` (and `, N skipped`) as the last line of a run, for programs that read it. What failed
 * before a test could start, such as a file that does not load, counts as failed too.
 */
export const countReporter: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    const failed = count('failed') + unhandledErrors.length + modules.filter(failedOutside).length
    const skipped = count('skipped')
    for (const test of tests.filter((one) => one.diagnostic()?.flaky))
      process.stdout.write(
        `\npassed only when tried again: ${test.module.relativeModuleId} > ${test.fullName}\n` +
          firstErrors(test),
      )
    const line = `${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
    process.stdout.write(`\n${line}\n`)
  },
}

/** A file that failed although none of its tests did: it does not load, or a hook threw. */
function failedOutside(module: TestModule): boolean {
  return module.state() === 'failed' && ![...module.children.allTests('failed')].length
}

/** Why the earlier tries failed: without it a test that is rarely wrong could not be mended. */
function firstErrors(test: TestCase): string {
  const errors = test.result().errors ?? []
  return errors.map((error) => `${describeError(error, test.project.config.root)}\n`).join('')
}
