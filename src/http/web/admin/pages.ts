// Every file of pages of the staff's desk by its path.
import type { Page } from '../kit/page.ts'
import * as accountActs from './accounts/account-acts.ts'
import * as accountLists from './accounts/account-lists.ts'
import * as accounts from './accounts/accounts.ts'
import * as bulk from './accounts/bulk.ts'
import * as dashboard from './dashboard/dashboard.ts'
import * as notes from './decisions/notes.ts'
import * as auditLog from './log/audit-log.ts'
import * as reportActs from './reports/report-acts.ts'
import * as reports from './reports/reports.ts'
import * as appeals from './review/appeals.ts'
import * as heldPosts from './review/held-posts.ts'
import * as tag from './review/tag.ts'
import * as trends from './review/trends.ts'
import * as start from './start.ts'

export const adminFiles: Readonly<Record<string, { pages: readonly Page[] }>> = {
  'src/http/web/admin/accounts/account-acts.ts': accountActs,
  'src/http/web/admin/accounts/account-lists.ts': accountLists,
  'src/http/web/admin/accounts/accounts.ts': accounts,
  'src/http/web/admin/accounts/bulk.ts': bulk,
  'src/http/web/admin/dashboard/dashboard.ts': dashboard,
  'src/http/web/admin/decisions/notes.ts': notes,
  'src/http/web/admin/log/audit-log.ts': auditLog,
  'src/http/web/admin/reports/report-acts.ts': reportActs,
  'src/http/web/admin/reports/reports.ts': reports,
  'src/http/web/admin/review/appeals.ts': appeals,
  'src/http/web/admin/review/held-posts.ts': heldPosts,
  'src/http/web/admin/review/tag.ts': tag,
  'src/http/web/admin/review/trends.ts': trends,
  'src/http/web/admin/start.ts': start,
}
