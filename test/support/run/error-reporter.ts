import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { TestError } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

const maxFrames = 4

/** Prints what fails when it fails, with its error. The default reporter says it again when all is over. */
export const errorReporter: Reporter = {
  onTestCaseResult(test) {
    const { state, errors } = test.result()
    if (state === 'failed') tell(test.module, test.fullName, errors)
  },
  onTestSuiteResult(suite) {
    tell(suite.module, suite.fullName, suite.errors())
  },
  onTestModuleEnd(module) {
    tell(module, null, module.errors())
  },
}

function tell(module: TestModule, title: string | null, errors: readonly TestError[] = []): void {
  for (const error of errors) {
    const place = [module.relativeModuleId, title].filter((part) => part !== null).join(' > ')
    process.stdout.write(`\nFAILED NOW ${place}\n${describeError(error, module.project.config.root)}\n`)
  }
}

/** The error's message, what differs, and where our own code was. */
export function describeError(error: TestError, root: string): string {
  const lines = [`${error.name}: ${error.message}`, error.diff ?? '', ...ownFrames(error, root)]
  return stripVTControlCharacters(lines.filter((line) => line !== '').join('\n')).replaceAll(/^/gm, '  ')
}

function ownFrames(error: TestError, root: string): string[] {
  return (error.stacks ?? [])
    .filter(({ file }) => file.startsWith(`${root}${path.sep}`) && !file.includes('node_modules'))
    .slice(0, maxFrames)
    .map(({ file, line, column, method }) => {
      const where = `${path.relative(root, file)}:${line}:${column}`
      return `at ${method ? `${method} (${where})` : where}`
    })
}
