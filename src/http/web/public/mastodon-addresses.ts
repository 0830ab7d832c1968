// Addresses that people of Mastodon have in their bookmarks, and where each leads here.
import { isId } from '#lib/ids.ts'
import { notFound, unprocessable } from '#lib/errors.ts'
import { viewAccount } from '#views/identity/accounts.ts'
import { viewStatus } from '#views/content/statuses.ts'
import { textParam } from '../kit/form.ts'
import { redirectTo } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { localPath, signInPath } from '../kit/return-to.ts'
import { readerOf, refuseStranger } from './public-page.ts'
import { asId, type AccountId, type AnyId, type StatusId } from '#lib/id.ts'

/** Pages of settings under other names, and what is spread over several there. */
const settings: Readonly<Record<`/${string}`, string>> = {
  '/auth': '/auth/edit',
  '/auth/challenge': '/auth/edit',
  '/auth/unlock/new': '/auth/password/new',
  '/oauth': '/oauth/authorized_applications',
  '/settings/account': '/auth/edit',
  '/settings/privacy_extra': '/settings/privacy',
  '/settings/preferences': '/settings',
  '/settings/preferences/other': '/settings/preferences/posting_defaults',
  '/settings/preferences/notifications': '/settings/notifications',
  '/settings/login_activities': '/settings/sessions',
  '/settings/two_factor_authentication': '/settings/two-factor',
  '/settings/two_factor_authentication_methods': '/settings/two-factor',
  '/settings/otp_authentication': '/settings/two-factor',
  '/settings/security_keys': '/settings/two-factor',
  '/settings/migration/redirect/new': '/settings/migration',
  '/settings/follower_domains': '/settings/followers',
  '/settings/exports': '/settings/export',
  '/settings/import': '/settings/imports',
  '/terms': '/privacy-policy',
}

/** Views of its web app under the names that they had once, each with what follows it in the address. */
const views: readonly (readonly [RegExp, string])[] = [
  [/^(getting-started|start|timelines\/home)?(\/.*)?$/, '/home'],
  [/^timelines\/(public(\/(local|remote))?)$/, '/$1'],
  [/^timelines\/tag\/(.+)$/, '/tags/$1'],
  [/^timelines\/list\/(.+)$/, '/lists/$1'],
  [/^(timelines\/)?direct$/, '/conversations'],
  [/^notifications_v2(\/.*)?$/, '/notifications$1'],
]

/** Returns the address of today for one of a view; null where it has not changed. */
function viewOf(path: string): string | null {
  for (const [pattern, target] of views) {
    const match = pattern.exec(path)
    if (match) return target.replaceAll(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '')
  }
  return null
}

/** `/web/…` and `/deck/…`, in front of any address. */
async function leadToView(call: PageCall): Promise<Response> {
  const rest = call.url.pathname.replace(/^\/(web|deck)(\/|$)|^\//, '')
  return redirectTo(localPath(viewOf(rest) ?? `/${rest}${call.url.search}`), 302)
}

const idOf = <Id extends AnyId>(call: PageCall): Id => {
  const id = textParam(call.params, 'id')
  if (!isId(id)) throw notFound()
  return asId<Id>(id)
}

/** The page of an account or a post that is named by its id, here or on its own server. */
async function leadToAccount(call: PageCall): Promise<Response> {
  const refused = refuseStranger(call)
  if (refused) return refused
  const account = await viewAccount(call.ctx, idOf<AccountId>(call))
  return redirectTo(`/@${account.acct}`, 302)
}

async function leadToStatus(call: PageCall): Promise<Response> {
  const refused = refuseStranger(call)
  if (refused) return refused
  const { account, id } = await viewStatus(call.ctx, readerOf(call), idOf<StatusId>(call))
  return redirectTo(`/@${account.acct}/${id}`, 302)
}

/** What is pinned stands on one's profile. */
const leadToPinned = async ({ viewer }: PageCall): Promise<Response> =>
  redirectTo(viewer ? `/@${viewer.username}` : signInPath('/pinned'), 302)

const interaction = (uri: string) =>
  redirectTo(`/authorize_interaction?${new URLSearchParams({ uri: uri.replace(/^acct:/i, '') })}`, 302)

/** What browsers call for `web+mastodon:` links. */
async function answerIntent(call: PageCall): Promise<Response> {
  const intent = URL.parse(textParam(call.params, 'uri'))
  if (intent?.protocol !== 'web+mastodon:') throw unprocessable('form_incomplete')
  if (intent.host === 'follow') return interaction(intent.searchParams.get('uri') ?? '')
  if (intent.host !== 'share') throw notFound()
  return redirectTo(`/share?${new URLSearchParams({ text: intent.searchParams.get('text') ?? '' })}`, 302)
}

const get = (path: Page['path'], handle: Page['handle']): Page => ({ method: 'GET', path, handle })

export const pages: readonly Page[] = [
  ...Object.entries(settings).map(([path, target]) =>
    get(path as Page['path'], async () => redirectTo(target, 302)),
  ),
  ...(['/web', '/deck', '/start', '/notifications_v2'] as const).flatMap((path) => [
    get(path, leadToView),
    get(`${path}/:rest{.+}`, leadToView),
  ]),
  get('/getting-started', leadToView),
  get('/pinned', leadToPinned),
  get('/accounts/:id{[0-9]+}', leadToAccount),
  get('/redirect/accounts/:id{[0-9]+}', leadToAccount),
  get('/statuses/:id{[0-9]+}', leadToStatus),
  get('/redirect/statuses/:id{[0-9]+}', leadToStatus),
  get('/interact/:id{[0-9]+}', leadToStatus),
  get('/authorize_follow', async (call) => interaction(textParam(call.params, 'acct'))),
  get('/intent', answerIntent),
]
