// The addresses at which people who are signed in get the web app, and nobody else a page. Those of profiles, posts, tags
// and public timelines stand with their pages (../public/), which show the app to who is signed in.
import { textParam } from '../kit/form.ts'
import { redirectTo } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { signInPath } from '../kit/return-to.ts'

/** What a view begins with: operations of the API, as client/src asks for them. */
type Begin = (call: PageCall) => readonly string[]

const nothing: Begin = () => []
const answers =
  (...paths: string[]): Begin =>
  () =>
    paths

/** The page of a timeline that the app asks for first: see client/src/views/timelines/sources.ts. */
export const firstPage = (path: string) => `${path}${path.includes('?') ? '&' : '?'}limit=20`

/** A part of the address as it stands in a path of the API. */
const part = (call: PageCall, name: string) => encodeURIComponent(textParam(call.params, name))

/** Of the person in the address: `/@alice`, `/@alice@elsewhere.example`. */
export const profile: Begin = (call) => {
  const acct = encodeURIComponent(textParam(call.params, 'handle').slice(1))
  return [`/api/v1/accounts/lookup?acct=${acct}`]
}

/** Of the post in the address, with its thread. */
export const post: Begin = (call) => {
  const path = `/api/v1/statuses/${part(call, 'id')}`
  return [path, `${path}/context`]
}

const views: Readonly<Record<`/${string}`, Begin>> = {
  '/home': answers(
    firstPage('/api/v1/timelines/home'),
    '/api/v1/markers?timeline[]=home',
    '/api/v1/announcements?with_dismissed=true',
  ),
  '/lists/:id{[0-9]+}': (call) => [
    `/api/v1/lists/${part(call, 'id')}`,
    firstPage(`/api/v1/timelines/list/${part(call, 'id')}`),
  ],
  '/links/:url{.+}': (call) => [firstPage(`/api/v1/timelines/link?url=${part(call, 'url')}`)],
  '/bookmarks': answers(firstPage('/api/v1/bookmarks')),
  '/favourites': answers(firstPage('/api/v1/favourites')),
  '/explore': answers(firstPage('/api/v1/trends/statuses')),
  '/explore/tags': answers('/api/v1/trends/tags?limit=20'),
  '/explore/links': answers('/api/v1/trends/links?limit=20'),
  '/explore/suggestions': answers('/api/v1/suggestions?limit=40'),
  // Other servers may be asked: the page does not wait for them.
  '/search': nothing,
  '/directory': (call) => {
    const isNew = call.url.searchParams.get('order') === 'new'
    const local = call.url.searchParams.get('local') === 'true' ? '&local=true' : ''
    return [`/api/v1/directory?order=${isNew ? 'new' : 'active'}${local}&limit=40`]
  },
  '/columns': answers('/api/v1/columns', '/api/v1/lists'),
  // When yesterday evening was, the browser knows.
  '/catch_up': nothing,
  '/statistics': answers('/api/v1/statistics'),
  '/notifications': (call) => [
    ...(call.url.searchParams.has('kind') ? [] : ['/api/v2/notifications?limit=40']),
    '/api/v1/markers?timeline%5B%5D=notifications',
    '/api/v2/notifications/policy',
  ],
  '/notifications/requests': answers('/api/v1/notifications/requests?limit=40'),
  '/notifications/requests/:id{[0-9]+}': (call) => [`/api/v1/notifications/requests/${part(call, 'id')}`],
  '/conversations': answers('/api/v1/conversations?limit=20'),
  '/follow_requests': answers('/api/v1/follow_requests?limit=40'),
  '/publish': nothing,
  '/share': nothing,
  '/drafts': nothing,
  '/scheduled': nothing,
  '/lists': answers('/api/v1/lists'),
  '/followed_tags': answers('/api/v1/followed_tags?limit=100'),
  '/collections': nothing,
  '/blocks': answers('/api/v1/blocks?limit=40'),
  '/mutes': answers('/api/v1/mutes?limit=40'),
  '/mutes/conversations': answers('/api/v1/muted_conversations?limit=20'),
  '/domain_blocks': answers('/api/v1/domain_blocks?limit=100'),
  '/filters': answers('/api/v2/filters'),
  '/:handle{@[^/]+}/featured': profile,
  '/:handle{@[^/]+}/followers': profile,
  '/:handle{@[^/]+}/following': profile,
  '/:handle{@[^/]+}/:id{[0-9]+}/favourites': post,
  '/:handle{@[^/]+}/:id{[0-9]+}/reblogs': post,
  '/:handle{@[^/]+}/:id{[0-9]+}/quotes': post,
  '/:handle{@[^/]+}/:id{[0-9]+}/reactions': post,
  '/:handle{@[^/]+}/:id{[0-9]+}/history': post,
  '/:handle{@[^/]+}/:id{[0-9]+}/statistics': (call) => {
    const path = `/api/v1/statuses/${part(call, 'id')}`
    return [path, `${path}/statistics`]
  },
}

/** Views that are also a page of settings, which works without scripts. */
const plainPages: Readonly<Record<string, string>> = {
  '/blocks': '/settings/blocks',
  '/mutes': '/settings/mutes',
  '/domain_blocks': '/settings/domain_blocks',
  '/followed_tags': '/settings/followed_tags',
  '/filters': '/settings/filters',
  '/lists': '/settings/lists',
  '/collections': '/settings/collections',
}

/** Views of what everybody may read, where the front page has something of it. */
const strangersPages: Readonly<Record<string, string>> = { '/explore': '/' }

/** The page of the profile or the post that a view tells more of; null for other views, and for what is its author's. */
function pageAbove(pathname: string): string | null {
  const [, above] =
    /^(\/@[^/]+(?:\/\d+)?)\/(?:featured|followers|following|favourites|reblogs|quotes|reactions|history)$/.exec(
      pathname,
    ) ?? []
  return above ?? null
}

/**
 * Leads to what there is without the app: for strangers, where it is not built, and for those who asked for pages in its
 * place, who are not to come to it again.
 */
function leadAway(call: PageCall): Response {
  const { pathname, search } = call.url
  const above = pageAbove(pathname)
  if (!call.viewer) return redirectTo(above ?? strangersPages[pathname] ?? signInPath(pathname + search), 302)
  // Whoever has just signed up comes from the mail, or without it.
  if (call.viewer.refusal === 'unconfirmed') return redirectTo('/auth/setup', 302)
  return redirectTo(plainPages[pathname] ?? `${above ?? '/'}?plain`, 302)
}

/**
 * What other apps share comes to the service worker. Where there is none the words are led to the view, and files are
 * refused. It changes nothing, so that it may come from anywhere, as from the menu of a phone.
 */
async function leadToShare({ params }: PageCall): Promise<Response> {
  const words = new URLSearchParams()
  for (const name of ['title', 'text', 'url']) {
    const text = textParam(params, name)
    if (text !== '') words.set(name, text)
  }
  return redirectTo(`/share?${words}`)
}

export const pages: readonly Page[] = [
  ...Object.entries(views).map(([path, app]): Page => ({
    method: 'GET',
    path: path as `/${string}`,
    app,
    personal: true,
    handle: async (call) => leadAway(call),
  })),
  { method: 'POST', path: '/share', signed: true, handle: leadToShare },
]
