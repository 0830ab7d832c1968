import { adminFiles } from './admin/pages.ts'
import type { Page } from './kit/page.ts'
import * as about from './public/about.ts'
import * as keyboardShortcuts from './docs/keyboard-shortcuts.ts'
import * as appViews from './app/views.ts'
import * as authorize from './sign-in/authorize.ts'
import * as ownApplications from './settings/applications/applications.ts'
import * as authorizedApplications from './settings/authorized-applications.ts'
import * as collectionPage from './public/collection-page.ts'
import * as byOthers from './sign-in/by-others.ts'
import * as newcomer from './sign-in/newcomer.ts'
import * as identities from './settings/identities.ts'
import * as confirmation from './account/confirmation.ts'
import * as deleteAccount from './settings/delete-account.ts'
import * as design from './public/design.ts'
import * as docs from './docs/docs.ts'
import * as edit from './account/edit.ts'
import * as appearance from './settings/preferences/appearance.ts'
import * as featuredTags from './settings/profile/featured-tags.ts'
import * as postingDefaults from './settings/preferences/posting-defaults.ts'
import * as privacy from './settings/profile/privacy.ts'
import * as profileSettings from './settings/profile/profile.ts'
import * as verification from './settings/profile/verification.ts'
import * as followedTags from './settings/reading/followed-tags.ts'
import * as collectionSettings from './settings/people/collections.ts'
import * as limited from './settings/people/limited.ts'
import * as mutedConversations from './settings/people/muted-conversations.ts'
import * as relationships from './settings/people/relationships.ts'
import * as severed from './settings/people/severed.ts'
import * as statistics from './settings/statistics.ts'
import * as welcome from './welcome/welcome.ts'
import * as filters from './settings/reading/filters.ts'
import * as listSettings from './settings/reading/lists.ts'
import * as remoteRedirect from './public/remote-redirect.ts'
import * as exportPage from './settings/portability/export.ts'
import * as exportArchive from './settings/portability/export-archive.ts'
import * as followers from './settings/followers.ts'
import * as home from './public/timelines/home.ts'
import * as importPage from './settings/portability/import.ts'
import * as importArchive from './settings/portability/import-archive.ts'
import * as interact from './public/interact.ts'
import * as invites from './settings/invites.ts'
import * as devices from './settings/notifications/devices.ts'
import * as notifications from './settings/notifications/notifications.ts'
import * as mastodonAddresses from './public/mastodon-addresses.ts'
import * as migration from './settings/migration.ts'
import * as overview from './settings/overview.ts'
import * as password from './account/password.ts'
import * as profile from './public/profile.ts'
import * as remoteInteract from './public/remote-interact.ts'
import * as rss from './public/rss.ts'
import * as signInTwoFactor from './sign-in/two-factor.ts'
import * as sessions from './settings/sessions.ts'
import * as emailSetup from './account/email-setup.ts'
import * as setup from './setup/setup.ts'
import * as setupDone from './setup/done.ts'
import * as signIn from './sign-in/sign-in.ts'
import * as signUp from './sign-in/sign-up.ts'
import * as statusPage from './public/status-page.ts'
import * as statusesCleanup from './settings/statuses-cleanup.ts'
import * as strikes from './account/strikes.ts'
import * as publicTimelines from './public/timelines/public-timelines.ts'
import * as tagPage from './public/timelines/tag-page.ts'
import * as twoFactor from './settings/two-factor/two-factor.ts'
import * as twoFactorSetup from './settings/two-factor/two-factor-setup.ts'
import * as unsubscribe from './account/unsubscribe.ts'

/** Every file of pages by its path, like the table of operations in `routes.ts`. */
const files: Readonly<Record<string, { pages: readonly Page[] }>> = {
  ...adminFiles,
  'src/http/web/public/about.ts': about,
  'src/http/web/app/views.ts': appViews,
  'src/http/web/sign-in/authorize.ts': authorize,
  'src/http/web/settings/applications/applications.ts': ownApplications,
  'src/http/web/settings/authorized-applications.ts': authorizedApplications,
  'src/http/web/public/collection-page.ts': collectionPage,
  'src/http/web/account/confirmation.ts': confirmation,
  'src/http/web/docs/keyboard-shortcuts.ts': keyboardShortcuts,
  'src/http/web/settings/delete-account.ts': deleteAccount,
  'src/http/web/public/design.ts': design,
  'src/http/web/docs/docs.ts': docs,
  'src/http/web/account/edit.ts': edit,
  'src/http/web/settings/portability/export.ts': exportPage,
  'src/http/web/settings/portability/export-archive.ts': exportArchive,
  'src/http/web/settings/followers.ts': followers,
  'src/http/web/public/timelines/home.ts': home,
  'src/http/web/settings/portability/import.ts': importPage,
  'src/http/web/settings/portability/import-archive.ts': importArchive,
  'src/http/web/public/interact.ts': interact,
  'src/http/web/settings/identities.ts': identities,
  'src/http/web/settings/invites.ts': invites,
  'src/http/web/settings/notifications/devices.ts': devices,
  'src/http/web/settings/notifications/notifications.ts': notifications,
  'src/http/web/public/mastodon-addresses.ts': mastodonAddresses,
  'src/http/web/settings/migration.ts': migration,
  'src/http/web/settings/overview.ts': overview,
  'src/http/web/settings/reading/lists.ts': listSettings,
  'src/http/web/settings/reading/filters.ts': filters,
  'src/http/web/welcome/welcome.ts': welcome,
  'src/http/web/settings/statistics.ts': statistics,
  'src/http/web/settings/people/relationships.ts': relationships,
  'src/http/web/settings/people/severed.ts': severed,
  'src/http/web/settings/people/collections.ts': collectionSettings,
  'src/http/web/settings/people/limited.ts': limited,
  'src/http/web/settings/people/muted-conversations.ts': mutedConversations,
  'src/http/web/settings/reading/followed-tags.ts': followedTags,
  'src/http/web/settings/profile/verification.ts': verification,
  'src/http/web/settings/profile/profile.ts': profileSettings,
  'src/http/web/settings/profile/privacy.ts': privacy,
  'src/http/web/settings/preferences/posting-defaults.ts': postingDefaults,
  'src/http/web/settings/profile/featured-tags.ts': featuredTags,
  'src/http/web/settings/preferences/appearance.ts': appearance,
  'src/http/web/account/password.ts': password,
  // Before the pages whose paths would match too.
  'src/http/web/public/remote-redirect.ts': remoteRedirect,
  'src/http/web/public/remote-interact.ts': remoteInteract,
  'src/http/web/public/rss.ts': rss,
  'src/http/web/public/profile.ts': profile,
  'src/http/web/sign-in/two-factor.ts': signInTwoFactor,
  'src/http/web/settings/sessions.ts': sessions,
  'src/http/web/sign-in/by-others.ts': byOthers,
  'src/http/web/sign-in/newcomer.ts': newcomer,
  'src/http/web/account/email-setup.ts': emailSetup,
  'src/http/web/setup/setup.ts': setup,
  'src/http/web/setup/done.ts': setupDone,
  'src/http/web/sign-in/sign-in.ts': signIn,
  'src/http/web/sign-in/sign-up.ts': signUp,
  'src/http/web/public/status-page.ts': statusPage,
  'src/http/web/settings/statuses-cleanup.ts': statusesCleanup,
  'src/http/web/account/strikes.ts': strikes,
  'src/http/web/public/timelines/public-timelines.ts': publicTimelines,
  'src/http/web/public/timelines/tag-page.ts': tagPage,
  'src/http/web/settings/two-factor/two-factor.ts': twoFactor,
  'src/http/web/settings/two-factor/two-factor-setup.ts': twoFactorSetup,
  'src/http/web/account/unsubscribe.ts': unsubscribe,
}

export interface ListedPage extends Page {
  readonly file: string
}

export const pages: readonly ListedPage[] = Object.entries(files).flatMap(([file, module]) =>
  module.pages.map((page) => ({ ...page, file })),
)
