import type { Route } from './kit/route.ts'
import * as oembed from './api/oembed.ts'
import * as accountsBlock from './api/v1/accounts/block.ts'
import * as accountsCreate from './api/v1/accounts/create.ts'
import * as accountsCredentials from './api/v1/accounts/credentials.ts'
import * as accountsEndorse from './api/v1/accounts/endorse.ts'
import * as accountsFamiliarFollowers from './api/v1/accounts/familiar-followers.ts'
import * as accountsFollow from './api/v1/accounts/follow.ts'
import * as accountsFollowers from './api/v1/accounts/followers.ts'
import * as accountsIdentityProofs from './api/v1/accounts/identity-proofs.ts'
import * as accountsLists from './api/v1/accounts/lists.ts'
import * as accountsLookup from './api/v1/accounts/lookup.ts'
import * as accountsMute from './api/v1/accounts/mute.ts'
import * as accountsNote from './api/v1/accounts/note.ts'
import * as accountsRelationships from './api/v1/accounts/relationships.ts'
import * as accountsSearch from './api/v1/accounts/search.ts'
import * as accountsShow from './api/v1/accounts/show.ts'
import * as accountsStatuses from './api/v1/accounts/statuses.ts'
import * as adminAccountRole from './api/v1/admin/accounts/role.ts'
import * as adminAccountTwoFactor from './api/v1/admin/accounts/two-factor.ts'
import * as adminAccounts from './api/v1/admin/accounts/accounts.ts'
import * as adminAnnouncements from './api/v1/admin/announcements.ts'
import * as adminAppeals from './api/v1/admin/appeals.ts'
import * as adminBlockLists from './api/v1/admin/block-lists/block-lists.ts'
import * as adminBlockListSubscriptions from './api/v1/admin/block-lists/subscriptions.ts'
import * as adminAuditLog from './api/v1/admin/audit-log.ts'
import * as adminCustomEmojis from './api/v1/admin/custom-emojis.ts'
import * as adminCanonicalEmailBlocks from './api/v1/admin/sign-up-restrictions/canonical-email-blocks.ts'
import * as adminDimensions from './api/v1/admin/dashboard/dimensions.ts'
import * as adminDomainAllows from './api/v1/admin/domain-allows.ts'
import * as adminDomainBlocks from './api/v1/admin/domain-blocks.ts'
import * as adminFollowRecommendations from './api/v1/admin/follow-recommendations.ts'
import * as adminModerationNotes from './api/v1/admin/moderation-notes.ts'
import * as adminRelays from './api/v1/admin/relays.ts'
import * as adminEmailDomainBlocks from './api/v1/admin/sign-up-restrictions/email-domain-blocks.ts'
import * as adminHeldPosts from './api/v1/admin/held-posts.ts'
import * as adminInvites from './api/v1/admin/sign-up-restrictions/invites.ts'
import * as adminIpBlocks from './api/v1/admin/sign-up-restrictions/ip-blocks.ts'
import * as adminMeasures from './api/v1/admin/dashboard/measures.ts'
import * as adminReports from './api/v1/admin/reports.ts'
import * as adminRetention from './api/v1/admin/dashboard/retention.ts'
import * as adminRoles from './api/v1/admin/roles.ts'
import * as adminRules from './api/v1/admin/rules.ts'
import * as adminSettings from './api/v1/admin/settings.ts'
import * as adminSiteUploads from './api/v1/admin/site-uploads.ts'
import * as adminSpamRules from './api/v1/admin/spam-rules.ts'
import * as adminTags from './api/v1/admin/tags.ts'
import * as adminTermsOfService from './api/v1/admin/terms-of-service.ts'
import * as adminTrends from './api/v1/admin/trends.ts'
import * as adminMaintenance from './api/v1/admin/upkeep.ts'
import * as adminUsernameBlocks from './api/v1/admin/sign-up-restrictions/username-blocks.ts'
import * as adminWarningPresets from './api/v1/admin/warning-presets.ts'
import * as adminWebhooks from './api/v1/admin/webhooks.ts'
import * as announcements from './api/v1/announcements.ts'
import * as annualReports from './api/v1/annual-reports.ts'
import * as apps from './api/v1/apps.ts'
import * as blocks from './api/v1/relationships/blocks.ts'
import * as collections from './api/v1/collections.ts'
import * as conversations from './api/v1/conversations.ts'
import * as customEmojis from './api/v1/custom-emojis.ts'
import * as directory from './api/v1/directory.ts'
import * as domainBlocks from './api/v1/relationships/domain-blocks.ts'
import * as drafts from './api/v1/drafts.ts'
import * as emails from './api/v1/emails.ts'
import * as endorsements from './api/v1/relationships/endorsements.ts'
import * as featuredTags from './api/v1/featured-tags.ts'
import * as filters from './api/v1/filters.ts'
import * as followRequests from './api/v1/relationships/follow-requests.ts'
import * as followedTags from './api/v1/followed-tags.ts'
import * as follows from './api/v1/relationships/follows.ts'
import * as instancePeers from './api/v1/instance/peers.ts'
import * as instanceShow from './api/v1/instance/show.ts'
import * as instanceTexts from './api/v1/instance/texts.ts'
import * as listsAccounts from './api/v1/lists/accounts.ts'
import * as lists from './api/v1/lists/lists.ts'
import * as marked from './api/v1/marked.ts'
import * as markers from './api/v1/markers.ts'
import * as pleromaReactions from './api/v1/pleroma/reactions.ts'
import * as media from './api/v1/media/media.ts'
import * as mutes from './api/v1/relationships/mutes.ts'
import * as notificationsList from './api/v1/notifications/list.ts'
import * as notificationsPolicy from './api/v1/notifications/policy.ts'
import * as notificationsRequests from './api/v1/notifications/requests.ts'
import * as notificationsShow from './api/v1/notifications/show.ts'
import * as polls from './api/v1/polls.ts'
import * as preferences from './api/v1/preferences.ts'
import * as profile from './api/v1/profile.ts'
import * as pushSubscription from './api/v1/push/subscription.ts'
import * as reports from './api/v1/reports.ts'
import * as scheduledStatuses from './api/v1/scheduled-statuses.ts'
import * as statusesActions from './api/v1/statuses/actions.ts'
import * as statusesActors from './api/v1/statuses/actors.ts'
import * as statusesContext from './api/v1/statuses/context.ts'
import * as columns from './api/v1/timelines/columns.ts'
import * as statistics from './api/v1/statistics.ts'
import * as statusesCreate from './api/v1/statuses/create.ts'
import * as statusesDelete from './api/v1/statuses/delete.ts'
import * as statusesEdit from './api/v1/statuses/edit.ts'
import * as statusesHistory from './api/v1/statuses/history.ts'
import * as statusesQuotes from './api/v1/statuses/quotes.ts'
import * as statusesShow from './api/v1/statuses/show.ts'
import * as statusesTranslate from './api/v1/statuses/translate.ts'
import * as statusesCleanupPolicy from './api/v1/statuses-cleanup-policy.ts'
import * as strikes from './api/v1/strikes.ts'
import * as suggestions from './api/v1/suggestions.ts'
import * as tags from './api/v1/tags.ts'
import * as timelinesCatchUp from './api/v1/timelines/catch-up.ts'
import * as timelinesHome from './api/v1/timelines/home.ts'
import * as timelinesLink from './api/v1/timelines/link.ts'
import * as timelinesList from './api/v1/timelines/list.ts'
import * as timelinesPublic from './api/v1/timelines/public.ts'
import * as timelinesTag from './api/v1/timelines/tag.ts'
import * as trends from './api/v1/trends.ts'
import * as asyncRefreshes from './api/v1-alpha/async-refreshes.ts'
import * as adminAccountsV2 from './api/v2/admin/accounts.ts'
import * as filtersKeywords from './api/v2/filters/keywords.ts'
import * as filtersStatuses from './api/v2/filters/statuses.ts'
import * as filtersV2 from './api/v2/filters/filters.ts'
import * as instanceV2 from './api/v2/instance.ts'
import * as mediaV2 from './api/v2/media.ts'
import * as notificationsV2List from './api/v2/notifications/list.ts'
import * as notificationsV2Policy from './api/v2/notifications/policy.ts'
import * as notificationsV2Show from './api/v2/notifications/show.ts'
import * as searchV2 from './api/v2/search.ts'
import * as suggestionsV2 from './api/v2/suggestions.ts'
import * as mediaDefaults from './media/defaults.ts'
import * as mediaFiles from './media/files.ts'
import * as mediaImageProxy from './media/image-proxy.ts'
import * as mediaProxy from './media/proxy.ts'
import * as oauthIntrospect from './oauth/introspect.ts'
import * as oauthMetadata from './oauth/metadata.ts'
import * as oauthRevoke from './oauth/revoke.ts'
import * as oauthToken from './oauth/token.ts'
import * as oauthUserinfo from './oauth/userinfo.ts'
import * as manifest from './web/kit/manifest.ts'
import * as robots from './web/public/robots.ts'
import * as site from './web/kit/site.ts'
import * as hostMeta from './wellknown/host-meta.ts'
import * as nodeInfo from './wellknown/node-info.ts'
import * as webfinger from './wellknown/webfinger.ts'

/** Every file of operations by its path: `docs/routes.md` is made from this table. */
const files = {
  'src/http/api/oembed.ts': oembed,
  'src/http/api/v1/accounts/block.ts': accountsBlock,
  'src/http/api/v1/accounts/create.ts': accountsCreate,
  'src/http/api/v1/accounts/credentials.ts': accountsCredentials,
  'src/http/api/v1/accounts/endorse.ts': accountsEndorse,
  'src/http/api/v1/accounts/familiar-followers.ts': accountsFamiliarFollowers,
  'src/http/api/v1/accounts/follow.ts': accountsFollow,
  'src/http/api/v1/accounts/followers.ts': accountsFollowers,
  'src/http/api/v1/accounts/identity-proofs.ts': accountsIdentityProofs,
  'src/http/api/v1/accounts/lists.ts': accountsLists,
  'src/http/api/v1/accounts/lookup.ts': accountsLookup,
  'src/http/api/v1/accounts/mute.ts': accountsMute,
  'src/http/api/v1/accounts/note.ts': accountsNote,
  'src/http/api/v1/accounts/relationships.ts': accountsRelationships,
  'src/http/api/v1/accounts/search.ts': accountsSearch,
  'src/http/api/v1/accounts/show.ts': accountsShow,
  'src/http/api/v1/accounts/statuses.ts': accountsStatuses,
  'src/http/api/v1/admin/accounts/role.ts': adminAccountRole,
  'src/http/api/v1/admin/accounts/two-factor.ts': adminAccountTwoFactor,
  'src/http/api/v1/admin/accounts/accounts.ts': adminAccounts,
  'src/http/api/v1/admin/announcements.ts': adminAnnouncements,
  'src/http/api/v1/admin/appeals.ts': adminAppeals,
  'src/http/api/v1/admin/audit-log.ts': adminAuditLog,
  'src/http/api/v1/admin/block-lists/block-lists.ts': adminBlockLists,
  'src/http/api/v1/admin/block-lists/subscriptions.ts': adminBlockListSubscriptions,
  'src/http/api/v1/admin/custom-emojis.ts': adminCustomEmojis,
  'src/http/api/v1/admin/sign-up-restrictions/canonical-email-blocks.ts': adminCanonicalEmailBlocks,
  'src/http/api/v1/admin/dashboard/dimensions.ts': adminDimensions,
  'src/http/api/v1/admin/domain-allows.ts': adminDomainAllows,
  'src/http/api/v1/admin/domain-blocks.ts': adminDomainBlocks,
  'src/http/api/v1/admin/follow-recommendations.ts': adminFollowRecommendations,
  'src/http/api/v1/admin/moderation-notes.ts': adminModerationNotes,
  'src/http/api/v1/admin/relays.ts': adminRelays,
  'src/http/api/v1/admin/sign-up-restrictions/email-domain-blocks.ts': adminEmailDomainBlocks,
  'src/http/api/v1/admin/held-posts.ts': adminHeldPosts,
  'src/http/api/v1/admin/sign-up-restrictions/invites.ts': adminInvites,
  'src/http/api/v1/admin/sign-up-restrictions/ip-blocks.ts': adminIpBlocks,
  'src/http/api/v1/admin/dashboard/measures.ts': adminMeasures,
  'src/http/api/v1/admin/reports.ts': adminReports,
  'src/http/api/v1/admin/dashboard/retention.ts': adminRetention,
  'src/http/api/v1/admin/roles.ts': adminRoles,
  'src/http/api/v1/admin/rules.ts': adminRules,
  'src/http/api/v1/admin/settings.ts': adminSettings,
  'src/http/api/v1/admin/site-uploads.ts': adminSiteUploads,
  'src/http/api/v1/admin/spam-rules.ts': adminSpamRules,
  'src/http/api/v1/admin/tags.ts': adminTags,
  'src/http/api/v1/admin/terms-of-service.ts': adminTermsOfService,
  'src/http/api/v1/admin/trends.ts': adminTrends,
  'src/http/api/v1/admin/upkeep.ts': adminMaintenance,
  'src/http/api/v1/admin/sign-up-restrictions/username-blocks.ts': adminUsernameBlocks,
  'src/http/api/v1/admin/warning-presets.ts': adminWarningPresets,
  'src/http/api/v1/admin/webhooks.ts': adminWebhooks,
  'src/http/api/v1/announcements.ts': announcements,
  'src/http/api/v1/annual-reports.ts': annualReports,
  'src/http/api/v1/apps.ts': apps,
  'src/http/api/v1/relationships/blocks.ts': blocks,
  'src/http/api/v1/collections.ts': collections,
  'src/http/api/v1/conversations.ts': conversations,
  'src/http/api/v1/custom-emojis.ts': customEmojis,
  'src/http/api/v1/directory.ts': directory,
  'src/http/api/v1/relationships/domain-blocks.ts': domainBlocks,
  'src/http/api/v1/drafts.ts': drafts,
  'src/http/api/v1/emails.ts': emails,
  'src/http/api/v1/relationships/endorsements.ts': endorsements,
  'src/http/api/v1/featured-tags.ts': featuredTags,
  'src/http/api/v1/filters.ts': filters,
  'src/http/api/v1/relationships/follow-requests.ts': followRequests,
  'src/http/api/v1/followed-tags.ts': followedTags,
  'src/http/api/v1/relationships/follows.ts': follows,
  'src/http/api/v1/instance/peers.ts': instancePeers,
  'src/http/api/v1/instance/show.ts': instanceShow,
  'src/http/api/v1/instance/texts.ts': instanceTexts,
  'src/http/api/v1/lists/accounts.ts': listsAccounts,
  'src/http/api/v1/lists/lists.ts': lists,
  'src/http/api/v1/marked.ts': marked,
  'src/http/api/v1/markers.ts': markers,
  'src/http/api/v1/pleroma/reactions.ts': pleromaReactions,
  'src/http/api/v1/media/media.ts': media,
  'src/http/api/v1/relationships/mutes.ts': mutes,
  'src/http/api/v1/notifications/list.ts': notificationsList,
  'src/http/api/v1/notifications/policy.ts': notificationsPolicy,
  'src/http/api/v1/notifications/requests.ts': notificationsRequests,
  'src/http/api/v1/notifications/show.ts': notificationsShow,
  'src/http/api/v1/polls.ts': polls,
  'src/http/api/v1/preferences.ts': preferences,
  'src/http/api/v1/profile.ts': profile,
  'src/http/api/v1/push/subscription.ts': pushSubscription,
  'src/http/api/v1/reports.ts': reports,
  'src/http/api/v1/scheduled-statuses.ts': scheduledStatuses,
  'src/http/api/v1/timelines/columns.ts': columns,
  'src/http/api/v1/statistics.ts': statistics,
  'src/http/api/v1/statuses/actions.ts': statusesActions,
  'src/http/api/v1/statuses/actors.ts': statusesActors,
  'src/http/api/v1/statuses/context.ts': statusesContext,
  'src/http/api/v1/statuses/create.ts': statusesCreate,
  'src/http/api/v1/statuses/delete.ts': statusesDelete,
  'src/http/api/v1/statuses/edit.ts': statusesEdit,
  'src/http/api/v1/statuses/history.ts': statusesHistory,
  'src/http/api/v1/statuses/quotes.ts': statusesQuotes,
  'src/http/api/v1/statuses/show.ts': statusesShow,
  'src/http/api/v1/statuses/translate.ts': statusesTranslate,
  'src/http/api/v1/statuses-cleanup-policy.ts': statusesCleanupPolicy,
  'src/http/api/v1/strikes.ts': strikes,
  'src/http/api/v1/suggestions.ts': suggestions,
  'src/http/api/v1/tags.ts': tags,
  'src/http/api/v1/timelines/catch-up.ts': timelinesCatchUp,
  'src/http/api/v1/timelines/home.ts': timelinesHome,
  'src/http/api/v1/timelines/link.ts': timelinesLink,
  'src/http/api/v1/timelines/list.ts': timelinesList,
  'src/http/api/v1/timelines/public.ts': timelinesPublic,
  'src/http/api/v1/timelines/tag.ts': timelinesTag,
  'src/http/api/v1/trends.ts': trends,
  'src/http/api/v1-alpha/async-refreshes.ts': asyncRefreshes,
  'src/http/api/v2/admin/accounts.ts': adminAccountsV2,
  'src/http/api/v2/filters/filters.ts': filtersV2,
  'src/http/api/v2/filters/keywords.ts': filtersKeywords,
  'src/http/api/v2/filters/statuses.ts': filtersStatuses,
  'src/http/api/v2/instance.ts': instanceV2,
  'src/http/api/v2/media.ts': mediaV2,
  'src/http/api/v2/notifications/list.ts': notificationsV2List,
  'src/http/api/v2/notifications/policy.ts': notificationsV2Policy,
  'src/http/api/v2/notifications/show.ts': notificationsV2Show,
  'src/http/api/v2/search.ts': searchV2,
  'src/http/api/v2/suggestions.ts': suggestionsV2,
  'src/http/media/defaults.ts': mediaDefaults,
  'src/http/media/files.ts': mediaFiles,
  'src/http/media/image-proxy.ts': mediaImageProxy,
  'src/http/media/proxy.ts': mediaProxy,
  'src/http/oauth/introspect.ts': oauthIntrospect,
  'src/http/oauth/metadata.ts': oauthMetadata,
  'src/http/oauth/revoke.ts': oauthRevoke,
  'src/http/oauth/token.ts': oauthToken,
  'src/http/oauth/userinfo.ts': oauthUserinfo,
  'src/http/web/kit/manifest.ts': manifest,
  'src/http/web/kit/site.ts': site,
  'src/http/web/public/robots.ts': robots,
  'src/http/wellknown/host-meta.ts': hostMeta,
  'src/http/wellknown/node-info.ts': nodeInfo,
  'src/http/wellknown/webfinger.ts': webfinger,
} satisfies Readonly<Record<string, { routes: readonly Route[] }>>

/** Every operation with its own method, path and answer: for types that are made from them. */
export type DeclaredRoute = (typeof files)[keyof typeof files]['routes'][number]

export interface ListedRoute extends Route {
  readonly file: string
}

export const routes: readonly ListedRoute[] = Object.entries(files).flatMap(([file, module]) =>
  module.routes.map((route) => ({ ...route, file })),
)
