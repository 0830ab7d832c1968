import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node'

/** Seconds that files took, of those that took long; kept beside the source, since a fresh copy remembers no run. */
const record = path.join(import.meta.dirname, 'durations.json')
/** In seconds: what takes less may come last. */
const long = 5

/** Files that take long come first, longest first, then the others as Vitest orders them. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = JSON.parse(readFileSync(record, 'utf8')) as Record<string, number>
    const root = this.ctx.config.root
    const of = ({ moduleId }: TestSpecification) => seconds[path.relative(root, moduleId)] ?? 0
    // oxlint-disable-next-line no-array-sort -- this is no array
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => of(b) - of(a))
  }
}

/** Writes the record anew after a run of the whole suite that RECORD_DURATIONS asks to. */
export const durationReporter: Reporter = {
  onTestRunEnd(modules) {
    if (!process.env['RECORD_DURATIONS']) return
    const took = modules
      .map((module) => [module.relativeModuleId, Math.round(module.diagnostic().duration / 1000)] as const)
      .filter(([, seconds]) => seconds >= long)
      .toSorted(([a, m], [b, n]) => n - m || a.localeCompare(b))
    writeFileSync(record, `${JSON.stringify(Object.fromEntries(took), null, 2)}\n`)
  },
}
