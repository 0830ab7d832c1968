// The timelines by their addresses. Their first pages come with the document: src/http/web/app/views.ts asks for the same
// paths.
import { withQuery } from '../../api/client.ts'
import { lookAgainAtAccounts } from '../../data/account.ts'
import { invalidate } from '../../data/query.ts'
import type { Source } from '../../data/timeline.ts'

export const home: Source = { path: '/api/v1/timelines/home', stream: { stream: 'user' }, context: 'home' }
export const everything: Source = {
  path: '/api/v1/timelines/public',
  stream: { stream: 'public' },
  context: 'public',
}
export const local: Source = {
  path: '/api/v1/timelines/public?local=true',
  stream: { stream: 'public:local' },
  context: 'public',
}
export const remote: Source = {
  path: '/api/v1/timelines/public?remote=true',
  stream: { stream: 'public:remote' },
  context: 'public',
}
export const bookmarks: Source = { path: '/api/v1/bookmarks', isFixed: true }
export const favourites: Source = { path: '/api/v1/favourites', isFixed: true }

/** Tags that are taken in as well, that must be there, and that must not. */
export interface OtherTags {
  any: readonly string[]
  all: readonly string[]
  none: readonly string[]
}

/** The stream of a tag knows nothing of others. */
export const ofTag = (tag: string, others: OtherTags): Source => ({
  path: withQuery(`/api/v1/timelines/tag/${encodeURIComponent(tag)}`, { ...others }),
  ...(Object.values(others).every(({ length }) => length === 0) && {
    stream: { stream: 'hashtag', tag: tag.toLowerCase() },
  }),
  context: 'public',
})

export const ofList = (id: string): Source => ({
  path: `/api/v1/timelines/list/${id}`,
  stream: { stream: 'list', list: id },
  context: 'home',
})

/** What somebody posted and boosted. The server may ask theirs for more of it, and of them. */
export const ofAccount = (id: string, { withReplies = false } = {}): Source => ({
  path: `/api/v1/accounts/${id}/statuses${withReplies ? '' : '?exclude_replies=true'}`,
  context: 'account',
  onComplete() {
    invalidate(`/api/v1/accounts/${id}/statuses?pinned`)
    lookAgainAtAccounts()
  },
})

export const ofLink = (url: string): Source => ({
  path: `/api/v1/timelines/link?url=${encodeURIComponent(url)}`,
  mayBeUnknown: true,
  context: 'public',
})
