import type { Page } from './page.ts'
import * as about from './about.ts'
import * as authorize from './authorize.ts'
import * as authorizedApplications from './authorized-applications.ts'
import * as collectionPage from './collection-page.ts'
import * as confirmation from './confirmation.ts'
import * as deleteAccount from './delete-account.ts'
import * as edit from './edit.ts'
import * as elsewhere from './elsewhere.ts'
import * as exportPage from './export.ts'
import * as exportArchive from './export-archive.ts'
import * as followers from './followers.ts'
import * as home from './home.ts'
import * as importPage from './import.ts'
import * as importArchive from './import-archive.ts'
import * as interact from './interact.ts'
import * as invites from './invites.ts'
import * as mailSettings from './mail-settings.ts'
import * as migration from './migration.ts'
import * as password from './password.ts'
import * as profile from './profile.ts'
import * as rss from './rss.ts'
import * as secondFactor from './second-factor.ts'
import * as sessions from './sessions.ts'
import * as setup from './setup.ts'
import * as signIn from './sign-in.ts'
import * as signUp from './sign-up.ts'
import * as statusPage from './status-page.ts'
import * as statusesCleanup from './statuses-cleanup.ts'
import * as strikes from './strikes.ts'
import * as tagPage from './tag-page.ts'
import * as twoFactor from './two-factor.ts'
import * as twoFactorSetup from './two-factor-setup.ts'
import * as unsubscribe from './unsubscribe.ts'

/** Every file of pages by its path, like the table of operations in `routes.ts`. */
const files: Readonly<Record<string, { pages: readonly Page[] }>> = {
  'src/http/web/about.ts': about,
  'src/http/web/authorize.ts': authorize,
  'src/http/web/authorized-applications.ts': authorizedApplications,
  'src/http/web/collection-page.ts': collectionPage,
  'src/http/web/confirmation.ts': confirmation,
  'src/http/web/delete-account.ts': deleteAccount,
  'src/http/web/edit.ts': edit,
  'src/http/web/export.ts': exportPage,
  'src/http/web/export-archive.ts': exportArchive,
  'src/http/web/followers.ts': followers,
  'src/http/web/home.ts': home,
  'src/http/web/import.ts': importPage,
  'src/http/web/import-archive.ts': importArchive,
  'src/http/web/interact.ts': interact,
  'src/http/web/invites.ts': invites,
  'src/http/web/mail-settings.ts': mailSettings,
  'src/http/web/migration.ts': migration,
  'src/http/web/password.ts': password,
  // Before the pages whose paths would match too.
  'src/http/web/elsewhere.ts': elsewhere,
  'src/http/web/rss.ts': rss,
  'src/http/web/profile.ts': profile,
  'src/http/web/second-factor.ts': secondFactor,
  'src/http/web/sessions.ts': sessions,
  'src/http/web/setup.ts': setup,
  'src/http/web/sign-in.ts': signIn,
  'src/http/web/sign-up.ts': signUp,
  'src/http/web/status-page.ts': statusPage,
  'src/http/web/statuses-cleanup.ts': statusesCleanup,
  'src/http/web/strikes.ts': strikes,
  'src/http/web/tag-page.ts': tagPage,
  'src/http/web/two-factor.ts': twoFactor,
  'src/http/web/two-factor-setup.ts': twoFactorSetup,
  'src/http/web/unsubscribe.ts': unsubscribe,
}

export interface ListedPage extends Page {
  readonly file: string
}

export const pages: readonly ListedPage[] = Object.entries(files).flatMap(([file, module]) =>
  module.pages.map((page) => ({ ...page, file })),
)
