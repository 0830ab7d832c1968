/**
 * Keeps docs/conformance.md: which test shows which statement of the interface specification. A test names a
 * statement by its id in brackets in its title: `test('ids are strings [2.0-1]', …)`.
 * --write fills the table's last column, --check fails when it is stale, both when a test names an unknown id.
 */
import { runShownBy, type ShownBy } from './shown-by.ts'

export const conformance: ShownBy = {
  name: 'conformance',
  page: 'docs/conformance.md',
  idInTitle: /\[(\d+(?:\.\d+)?-\d+)\]/g,
  row: /^\| (\d+(?:\.\d+)?-\d+) \| (.+) \| ([^|]+) \|$/,
  uncounted: 'left open',
  mayBecomeCounted: false,
}

if (import.meta.main) runShownBy(conformance)
