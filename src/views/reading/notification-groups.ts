import type { Account } from '#entities/account.ts'
import type {
  GroupedNotificationsResults,
  NotificationGroup as NotificationGroupJson,
} from '#entities/notification.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { NotificationGroup } from '#domain/reading/notifications/describe-groups.ts'
import { pick, valueOf } from '#lib/collections.ts'
import { notFound } from '#lib/errors.ts'
import { languageOf } from '#lib/messages/pick-language.ts'
import { loadAccountViews } from '../identity/accounts.ts'
import { loadNotificationSubjects } from './hydrate-notification-subjects.ts'
import type { NotificationOptions } from './notifications.ts'
import { renderGroup, renderPartialAccount } from './render-notification.ts'
import { fallbackFor } from './render-notification-fallback.ts'
import type { AccountId } from '#lib/id.ts'

export interface GroupOptions extends NotificationOptions {
  /** All accounts in full, or only the latest of each group and of the others what their picture needs. */
  expandAccounts?: 'full' | 'partial_avatars' | undefined
}

interface GroupView {
  json: NotificationGroupJson
  group: NotificationGroup
}

/**
 * GroupedNotificationsResults (https://docs.joinmastodon.org/entities/GroupedNotificationsResults/), by a constant
 * number of queries. Groups whose subject is gone are left out.
 */
export async function viewGroups(
  ctx: Ctx,
  viewer: Viewer,
  groups: readonly NotificationGroup[],
  options: GroupOptions = {},
) {
  return assemble(ctx, viewer, groups, { ...options, paged: true })
}

/** The same of one group by itself. Throws `not_found` when its subject is gone. */
export async function viewGroup(
  ctx: Ctx,
  viewer: Viewer,
  group: NotificationGroup,
  options: GroupOptions = {},
) {
  const results = await assemble(ctx, viewer, [group], { ...options, paged: false })
  if (results.notification_groups.length === 0) throw notFound()
  return results
}

async function assemble(
  ctx: Ctx,
  viewer: Viewer,
  groups: readonly NotificationGroup[],
  options: GroupOptions & { paged: boolean },
): Promise<GroupedNotificationsResults> {
  const [accounts, subjects] = await Promise.all([
    loadAccountViews(ctx, [...new Set(groups.flatMap((group) => group.sampleAccountIds))]),
    loadNotificationSubjects(
      ctx,
      viewer,
      groups.map((group) => group.row),
    ),
  ])
  const words = { supportedTypes: options.supportedTypes, language: languageOf(viewer.locale) }
  const views = groups.flatMap((group): GroupView[] => {
    const account = valueOf(accounts, group.sampleAccountIds[0])
    const subject = subjects.find(group.row)
    if (!account || !subject) return []
    const fallback = fallbackFor(group.row.type, words, { account, subject })
    return [{ group, json: renderGroup({ group, subject, fallback, paged: options.paged }) }]
  })
  const shown = views.map((view) => view.group)
  return {
    ...chooseAccounts(shown, accounts, options.expandAccounts ?? 'full'),
    statuses: pick([...new Set(shown.flatMap((group) => group.row.status_id ?? []))], subjects.statuses),
    notification_groups: views.map((view) => view.json),
  }
}

function chooseAccounts(
  groups: readonly NotificationGroup[],
  accounts: ReadonlyMap<AccountId, Account>,
  expand: 'full' | 'partial_avatars',
) {
  const all = [...new Set(groups.flatMap((group) => group.sampleAccountIds))]
  if (expand === 'full') return { accounts: pick(all, accounts) }
  const latest = new Set(groups.flatMap((group) => group.sampleAccountIds[0] ?? []))
  const others = all.filter((id) => !latest.has(id))
  return {
    accounts: pick([...latest], accounts),
    partial_accounts: pick(others, accounts).map(renderPartialAccount),
  }
}
