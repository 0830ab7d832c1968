// What is asked of a server of any size: what most people ask for, and what is longest in it.
import type { Shot } from '../kit/load.ts'
import type { Request } from '../kit/scenarios.ts'
import { token } from '../kit/seed.ts'
import { hugeTag } from './seed-copies.ts'
import { localAt, type Grown, type Single } from './size.ts'

/** Those who read: a hundred are in the smallest server. */
const readers = 100
const reader = (index: number): string => token(index % readers)

type Ask = (grown: Grown, index: number) => string

const get = (path: Ask, more: Omit<Request<Grown>, 'shot'> = {}): Request<Grown> => ({
  ...more,
  shot: (grown, index) => ({ path: path(grown, index), token: reader(index) }),
})

/** What one of whom there is one asks for. */
const getAs = (who: Single, path: Ask): Request<Grown> => ({
  shot: (grown, index) => ({ path: path(grown, index), token: token(grown.singles[who].index) }),
})

const search = (text: Ask): Request<Grown> =>
  get((grown, index) => `/api/v2/search?type=statuses&limit=20&q=${encodeURIComponent(text(grown, index))}`)

const any = (list: readonly string[], index: number): string => list[index % list.length] ?? ''
const statusesOf =
  (who: Single, query = ''): Ask =>
  ({ singles }) =>
    `/api/v1/accounts/${singles[who].id}/statuses?limit=20${query}`

/** What one reads, that is the same on a server of any size. */
export const usual: Readonly<Record<string, Request<Grown>>> = {
  home: get(() => '/api/v1/timelines/home?limit=20'),
  public: get(() => '/api/v1/timelines/public?limit=20'),
  'public, of this server': get(() => '/api/v1/timelines/public?local=true&limit=20'),
  'public, half-way back': get(({ middle }) => `/api/v1/timelines/public?limit=20&max_id=${middle.status}`),
  tag: get((_, index) => `/api/v1/timelines/tag/tag${1 + (index % 10)}?limit=20`),
  'posts of an account': get(
    ({ epoch }, index) => `/api/v1/accounts/${localAt(epoch, index % 50)}/statuses?limit=20`,
  ),
  'one post': get(({ publicIds }, index) => `/api/v1/statuses/${any(publicIds, index)}`),
  notifications: get(() => '/api/v1/notifications?limit=20'),
  'notifications in groups': get(() => '/api/v2/notifications?limit=20'),
  'relationships to 40': get(
    ({ epoch, size }, index) =>
      `/api/v1/accounts/relationships?${Array.from({ length: 40 }, (_, n) => `id[]=${localAt(epoch, (index * 7 + n) % size.people)}`).join('&')}`,
  ),
  'accounts by the begin of a name': get(
    (_, index) => `/api/v1/accounts/search?limit=10&q=person${1 + (index % 90)}`,
  ),
  'accounts by a misspelled name': get(
    (_, index) => `/api/v1/accounts/search?limit=10&q=preson${1 + (index % 90)}`,
  ),
  suggestions: get(() => '/api/v2/suggestions'),
  directory: get(() => '/api/v1/directory?order=active&limit=40'),
}

/** What is longer the larger a server is. */
export const long: Readonly<Record<string, Request<Grown>>> = {
  'huge tag': get(() => `/api/v1/timelines/tag/${hugeTag}?limit=20`),
  'huge tag, half-way back': get(
    ({ middle }) => `/api/v1/timelines/tag/${hugeTag}?limit=20&max_id=${middle.status}`,
  ),
  'huge tag and a small one': get(
    (_, index) => `/api/v1/timelines/tag/${hugeTag}?limit=20&all[]=tag${101 + (index % 90)}`,
  ),
  'huge tag, pictures of this server': get(
    () => `/api/v1/timelines/tag/${hugeTag}?limit=20&only_media=true&local=true`,
  ),
  'rare tag': get((_, index) => `/api/v1/timelines/tag/rare${index % 200}?limit=20`),
  'tags by the begin of a name': get(
    (_, index) => `/api/v2/search?type=hashtags&limit=20&q=rare${index % 100}`,
  ),
  'author of a tenth': get(statusesOf('prolific')),
  'author of a tenth, half-way back': get(
    (grown, index) => `${statusesOf('prolific')(grown, index)}&max_id=${grown.middle.status}`,
  ),
  'author of a tenth, without answers': get(
    statusesOf('prolific', '&exclude_replies=true&exclude_reblogs=true'),
  ),
  'author of a tenth, pictures': get(statusesOf('prolific', '&only_media=true')),
  'author of a tenth, with a tag': get(
    (grown, index) => `${statusesOf('prolific')(grown, index)}&tagged=tag${1 + (index % 150)}`,
  ),
  'author of a tenth, with a rare tag': get(
    (grown, index) => `${statusesOf('prolific')(grown, index)}&tagged=rare${index % 200}`,
  ),
  'longest thread': get(({ thread }) => `/api/v1/statuses/${thread}/context`, { concurrency: 4 }),
  'followers of the star': get(({ singles }) => `/api/v1/accounts/${singles.star.id}/followers?limit=40`),
  'followers of the star, half-way back': get(
    ({ singles, middle }) =>
      `/api/v1/accounts/${singles.star.id}/followers?limit=40&max_id=${middle.follower}`,
  ),
  'very many notifications': getAs('notified', () => '/api/v1/notifications?limit=20'),
  'very many, half-way back': getAs(
    'notified',
    ({ middle }) => `/api/v1/notifications?limit=20&max_id=${middle.notification}`,
  ),
  'very many, in groups': getAs('notified', () => '/api/v2/notifications?limit=20'),
  'very many, in groups, half-way back': getAs(
    'notified',
    ({ middle }) => `/api/v2/notifications?limit=20&max_id=${middle.notification}`,
  ),
  'very many, how many unread': getAs('notified', () => '/api/v1/notifications/unread_count'),
  'very many, how many groups unread': getAs('notified', () => '/api/v2/notifications/unread_count'),
  'very many, a kind of which there are none': getAs(
    'notified',
    () => '/api/v1/notifications?limit=20&types[]=poll',
  ),
  'very many, of one account': getAs(
    'notified',
    ({ epoch }, index) => `/api/v1/notifications?limit=20&account_id=${localAt(epoch, index % 100)}`,
  ),
  'search, a rare word': search(({ words }, index) => any(words.rare, index)),
  'search, a middling word': search(({ words }, index) => any(words.middling, index)),
  'search, a common word': search(({ words }, index) => any(words.common, index)),
  'search, a word that nobody wrote': search(() => 'unwritten'),
  'search, a common and a middling word': search(
    ({ words }, index) => `${any(words.common, index)} ${any(words.middling, index)}`,
  ),
  'search, a phrase of common words': search(
    ({ words }, index) => `"${any(words.common, index)} ${any(words.common, index + 1)}"`,
  ),
  'search, a middling word of one author': search(
    ({ singles, words }, index) => `${any(words.middling, index)} from:person${singles.prolific.index}`,
  ),
  'search, a middling word in the library': search(
    ({ words }, index) => `${any(words.middling, index)} in:library`,
  ),
}

const say = (index: number, who: string, status: string, visibility = 'public'): Shot => ({
  method: 'POST',
  path: '/api/v1/statuses',
  token: who,
  body: { status: `${status}, number ${index} of ${Date.now()}`, visibility },
})

export const writes: Readonly<Record<string, Request<Grown>>> = {
  favourite: {
    shot: ({ publicIds }, index) => ({
      method: 'POST',
      path: `/api/v1/statuses/${any(publicIds, index)}/favourite`,
      // Nobody favourites twice.
      token: reader(Math.floor(index / publicIds.length)),
    }),
  },
  boost: {
    shot: ({ publicIds }, index) => ({
      method: 'POST',
      path: `/api/v1/statuses/${any(publicIds, index)}/reblog`,
      token: reader(Math.floor(index / publicIds.length)),
    }),
  },
  'unlisted post': { shot: (_, index) => say(index, reader(index), 'Unlisted', 'unlisted') },
  'post with mention and tag to 90 followers': {
    shot: ({ singles }, index) =>
      say(
        index,
        token(singles.speaker.index),
        `@person${index % readers} has to hear of #tag${1 + (index % 50)}`,
      ),
  },
}
