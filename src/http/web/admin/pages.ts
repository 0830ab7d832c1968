// Every file of pages of the staff's desk by its path.
import type { Page } from '../kit/page.ts'
import * as accountActs from './accounts/account-acts.ts'
import * as accountLists from './accounts/account-lists.ts'
import * as accounts from './accounts/accounts.ts'
import * as bulk from './accounts/bulk.ts'
import * as dashboard from './dashboard/dashboard.ts'
import * as notes from './decisions/notes.ts'
import * as blockLists from './hosts/block-lists.ts'
import * as domainAllows from './hosts/domain-allows.ts'
import * as domainBlocks from './hosts/domain-blocks.ts'
import * as hostNotes from './hosts/host-notes.ts'
import * as instance from './hosts/instance.ts'
import * as instances from './hosts/instances.ts'
import * as listFiles from './hosts/list-files.ts'
import * as relays from './hosts/relays.ts'
import * as auditLog from './log/audit-log.ts'
import * as jobs from './operation/jobs.ts'
import * as retention from './operation/retention.ts'
import * as warningPresets from './presets/warning-presets.ts'
import * as reportActs from './reports/report-acts.ts'
import * as reports from './reports/reports.ts'
import * as appeals from './review/appeals.ts'
import * as followRecommendations from './review/follow-recommendations.ts'
import * as heldPosts from './review/held-posts.ts'
import * as tag from './review/tag.ts'
import * as trends from './review/trends.ts'
import * as announcements from './server/announcements.ts'
import * as customEmojis from './server/custom-emojis.ts'
import * as roles from './server/roles.ts'
import * as rules from './server/rules.ts'
import * as settings from './server/settings.ts'
import * as terms from './server/terms.ts'
import * as webhooks from './server/webhooks.ts'
import * as canonicalEmailBlocks from './sign-up-restrictions/canonical-email-blocks.ts'
import * as emailDomainBlocks from './sign-up-restrictions/email-domain-blocks.ts'
import * as invites from './sign-up-restrictions/invites.ts'
import * as ipBlocks from './sign-up-restrictions/ip-blocks.ts'
import * as usernameBlocks from './sign-up-restrictions/username-blocks.ts'
import * as spamRules from './spam/spam-rules.ts'
import * as start from './start.ts'

export const adminFiles: Readonly<Record<string, { pages: readonly Page[] }>> = {
  'src/http/web/admin/accounts/account-acts.ts': accountActs,
  'src/http/web/admin/accounts/account-lists.ts': accountLists,
  'src/http/web/admin/accounts/accounts.ts': accounts,
  'src/http/web/admin/accounts/bulk.ts': bulk,
  'src/http/web/admin/dashboard/dashboard.ts': dashboard,
  'src/http/web/admin/decisions/notes.ts': notes,
  'src/http/web/admin/hosts/block-lists.ts': blockLists,
  'src/http/web/admin/hosts/domain-allows.ts': domainAllows,
  'src/http/web/admin/hosts/domain-blocks.ts': domainBlocks,
  'src/http/web/admin/hosts/host-notes.ts': hostNotes,
  'src/http/web/admin/hosts/instance.ts': instance,
  'src/http/web/admin/hosts/instances.ts': instances,
  'src/http/web/admin/hosts/list-files.ts': listFiles,
  'src/http/web/admin/hosts/relays.ts': relays,
  'src/http/web/admin/log/audit-log.ts': auditLog,
  'src/http/web/admin/operation/jobs.ts': jobs,
  'src/http/web/admin/operation/retention.ts': retention,
  'src/http/web/admin/presets/warning-presets.ts': warningPresets,
  'src/http/web/admin/reports/report-acts.ts': reportActs,
  'src/http/web/admin/reports/reports.ts': reports,
  'src/http/web/admin/review/appeals.ts': appeals,
  'src/http/web/admin/review/follow-recommendations.ts': followRecommendations,
  'src/http/web/admin/review/held-posts.ts': heldPosts,
  'src/http/web/admin/review/tag.ts': tag,
  'src/http/web/admin/review/trends.ts': trends,
  'src/http/web/admin/server/announcements.ts': announcements,
  'src/http/web/admin/server/custom-emojis.ts': customEmojis,
  'src/http/web/admin/server/roles.ts': roles,
  'src/http/web/admin/server/rules.ts': rules,
  'src/http/web/admin/server/settings.ts': settings,
  'src/http/web/admin/server/terms.ts': terms,
  'src/http/web/admin/server/webhooks.ts': webhooks,
  'src/http/web/admin/sign-up-restrictions/canonical-email-blocks.ts': canonicalEmailBlocks,
  'src/http/web/admin/sign-up-restrictions/email-domain-blocks.ts': emailDomainBlocks,
  'src/http/web/admin/sign-up-restrictions/invites.ts': invites,
  'src/http/web/admin/sign-up-restrictions/ip-blocks.ts': ipBlocks,
  'src/http/web/admin/sign-up-restrictions/username-blocks.ts': usernameBlocks,
  'src/http/web/admin/spam/spam-rules.ts': spamRules,
  'src/http/web/admin/start.ts': start,
}
