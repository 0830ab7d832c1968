import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take longest, or wait most, longest first. When one of them comes last, all others wait for it: and a
 * fresh copy of the repository remembers no run from which this could be known.
 */
const longest = [
  'test/federation/network/foreign-snac.test.ts',
  'test/e2e/cli.test.ts',
  'test/robustness/backup/backup.test.ts',
  'test/e2e/cli-maintenance.test.ts',
  'test/e2e/start.test.ts',
  'test/robustness/upload-memory.test.ts',
  'test/e2e/kill.test.ts',
  'test/robustness/backup/restore.test.ts',
  'test/e2e/cli-server.test.ts',
  'test/e2e/cli-access.test.ts',
  'test/robustness/backup/restore-killed.test.ts',
  'test/roles/several.test.ts',
  'test/roles/rolling-restart.test.ts',
  'test/federation/moderation/severing.test.ts',
  'test/robustness/runner-killed.test.ts',
  'test/federation/network/foreign-fedify.test.ts',
  'test/federation/corpus.test.ts',
  'test/e2e/cli-domains.test.ts',
  'test/e2e/client.test.ts',
  'test/e2e/cli-archive.test.ts',
  'test/robustness/delivery-kill.test.ts',
  'test/robustness/upload-kill.test.ts',
  'src/adapters/media/video.test.ts',
  'test/api/portability/archive-round-trip.test.ts',
  'test/security/cnt-texts.test.ts',
  'test/security/cnt-media.test.ts',
  'test/e2e/toot.test.ts',
  'test/e2e/client-reach.test.ts',
  'test/e2e/client-statuses.test.ts',
  'test/e2e/pages.test.ts',
]

/** Files that take long come first, then the others as Vitest orders them. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((file) => moduleId.endsWith(`/${file}`))
      return found === -1 ? longest.length : found
    }
    // oxlint-disable-next-line no-array-sort -- this is no array
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => rank(a) - rank(b))
  }
}
