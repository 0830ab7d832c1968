/**
 * Keeps docs/security.md: which test sends which threat. A test names a case by its id in its title:
 * `test('hidden and missing look the same [ACC-8]', …)`.
 * --write fills the table's last column, --check fails when it is stale, both when a test names an unknown id.
 */
import { runShownBy, type ShownBy } from './shown-by.ts'

export const security: ShownBy = {
  name: 'security',
  page: 'docs/security.md',
  idInTitle: /\b((?:AUTH|ACC|CNT|ROB|FED|SSRF)-\d+)\b/g,
  row: /^\| ((?:AUTH|ACC|CNT|ROB|FED|SSRF)-\d+) \| (.+) \| ([^|]+) \|$/,
  uncounted: 'does not apply yet',
  mayBecomeCounted: true,
}

if (import.meta.main) runShownBy(security)
