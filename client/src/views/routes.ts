// Which view is shown at which address. The timelines are in the first script; every other view is a chunk of its own:
// `lazy(() => import('./x/x.tsx'), (module) => module.X)`.
import type { Route, View } from '../router/outlet.tsx'
import type * as ExploreViews from './explore/explore.tsx'
import type * as RequestViews from './notifications/requests.tsx'
import type * as OwnPeopleViews from './own/people.tsx'
import type * as OwnThingsViews from './own/things.tsx'
import type * as PostPeopleViews from './thread/people.tsx'
import type * as ProfileViews from './profile/profile.tsx'
import * as timelines from './timelines/timelines.tsx'
import type * as writingViews from './writing/publish.tsx'

const now = (view: View) => () => view

/** A view that is loaded when it is first shown. */
export const lazy =
  <T>(load: () => Promise<T>, pick: (module: T) => View) =>
  () =>
    load().then(pick)

const writing = (pick: (module: typeof writingViews) => View) =>
  lazy(() => import('./writing/publish.tsx'), pick)

const exploring = (pick: (module: typeof ExploreViews) => View) =>
  lazy(() => import('./explore/explore.tsx'), pick)

const kept = (pick: (module: typeof RequestViews) => View) =>
  lazy(() => import('./notifications/requests.tsx'), pick)

const aboutPost = (pick: (module: typeof PostPeopleViews) => View) =>
  lazy(() => import('./thread/people.tsx'), pick)

const ofProfile = (pick: (module: typeof ProfileViews) => View) =>
  lazy(() => import('./profile/profile.tsx'), pick)

const ownPeople = (pick: (module: typeof OwnPeopleViews) => View) =>
  lazy(() => import('./own/people.tsx'), pick)

const ownThings = (pick: (module: typeof OwnThingsViews) => View) =>
  lazy(() => import('./own/things.tsx'), pick)

export const routes: readonly Route[] = [
  { path: '/home', load: now(timelines.HomeTimeline) },
  { path: '/public', load: now(timelines.FederatedTimeline) },
  { path: '/public/local', load: now(timelines.LocalTimeline) },
  { path: '/public/remote', load: now(timelines.RemoteTimeline) },
  {
    path: '/tags/:tag',
    load: lazy(
      () => import('./timelines/tag.tsx'),
      (module) => module.TagTimeline,
    ),
  },
  { path: '/lists/:id(\\d+)', load: now(timelines.ListTimeline) },
  { path: '/links/*url', load: now(timelines.LinkTimeline) },
  { path: '/bookmarks', load: now(timelines.Bookmarks) },
  { path: '/favourites', load: now(timelines.Favourites) },
  {
    path: '/keyboard-shortcuts',
    load: lazy(
      () => import('./shortcuts/shortcuts.tsx'),
      (module) => module.KeyboardShortcuts,
    ),
  },
  { path: '/publish', load: writing((module) => module.Publish) },
  { path: '/share', load: writing((module) => module.Share) },
  {
    path: '/drafts',
    load: lazy(
      () => import('./writing/drafts.tsx'),
      (module) => module.Drafts,
    ),
  },
  {
    path: '/scheduled',
    load: lazy(
      () => import('./writing/scheduled.tsx'),
      (module) => module.Scheduled,
    ),
  },
  { path: '/explore', load: exploring((module) => module.ExplorePosts) },
  { path: '/explore/tags', load: exploring((module) => module.ExploreTags) },
  { path: '/explore/links', load: exploring((module) => module.ExploreLinks) },
  { path: '/explore/suggestions', load: exploring((module) => module.ExploreSuggestions) },
  {
    path: '/search',
    load: lazy(
      () => import('./search/search.tsx'),
      (module) => module.SearchView,
    ),
  },
  {
    path: '/notifications',
    load: lazy(
      () => import('./notifications/notifications.tsx'),
      (module) => module.NotificationsView,
    ),
  },
  { path: '/notifications/requests', load: kept((module) => module.NotificationRequests) },
  { path: '/notifications/requests/:id(\\d+)', load: kept((module) => module.NotificationRequestView) },
  {
    path: '/conversations',
    load: lazy(
      () => import('./conversations/conversations.tsx'),
      (module) => module.ConversationsView,
    ),
  },
  {
    path: '/@:acct/:id(\\d+)',
    load: lazy(
      () => import('./thread/thread.tsx'),
      (module) => module.ThreadView,
    ),
  },
  { path: '/@:acct/:id(\\d+)/favourites', load: aboutPost((module) => module.PostFavourites) },
  { path: '/@:acct/:id(\\d+)/reblogs', load: aboutPost((module) => module.PostBoosts) },
  { path: '/@:acct/:id(\\d+)/reactions', load: aboutPost((module) => module.PostReactions) },
  { path: '/@:acct/:id(\\d+)/quotes', load: aboutPost((module) => module.PostQuotes) },
  {
    path: '/@:acct/:id(\\d+)/history',
    load: lazy(
      () => import('./thread/history.tsx'),
      (module) => module.PostHistory,
    ),
  },
  {
    path: '/@:acct/:id(\\d+)/statistics',
    load: lazy(
      () => import('./statistics/of-post.tsx'),
      (module) => module.PostStatistics,
    ),
  },
  { path: '/@:acct', load: ofProfile((module) => module.ProfilePosts) },
  { path: '/@:acct/with_replies', load: ofProfile((module) => module.ProfileReplies) },
  { path: '/@:acct/media', load: ofProfile((module) => module.ProfileMedia) },
  { path: '/@:acct/featured', load: ofProfile((module) => module.ProfileFeatured) },
  { path: '/@:acct/followers', load: ofProfile((module) => module.Followers) },
  { path: '/@:acct/following', load: ofProfile((module) => module.Following) },
  { path: '/@:acct/tagged/:tag', load: ofProfile((module) => module.ProfileTagged) },
  { path: '/follow_requests', load: ownPeople((module) => module.FollowRequests) },
  { path: '/blocks', load: ownPeople((module) => module.Blocks) },
  { path: '/mutes', load: ownPeople((module) => module.Mutes) },
  {
    path: '/mutes/conversations',
    load: lazy(
      () => import('./own/muted-conversations.tsx'),
      (module) => module.MutedConversations,
    ),
  },
  {
    path: '/domain_blocks',
    load: lazy(
      () => import('./own/domain-blocks.tsx'),
      (module) => module.DomainBlocks,
    ),
  },
  {
    path: '/filters',
    load: lazy(
      () => import('./filters/filters.tsx'),
      (module) => module.Filters,
    ),
  },
  {
    path: '/columns',
    load: lazy(
      () => import('./deck/deck.tsx'),
      (module) => module.Deck,
    ),
  },
  {
    path: '/catch_up',
    load: lazy(
      () => import('./catch-up/catch-up.tsx'),
      (module) => module.CatchUpView,
    ),
  },
  {
    path: '/statistics',
    load: lazy(
      () => import('./statistics/statistics.tsx'),
      (module) => module.StatisticsView,
    ),
  },
  {
    path: '/collections',
    load: lazy(
      () => import('./collections/collections.tsx'),
      (module) => module.Collections,
    ),
  },
  {
    path: '/collections/:id(\\d+)',
    load: lazy(
      () => import('./collections/collection.tsx'),
      (module) => module.CollectionView,
    ),
  },
  {
    path: '/directory',
    load: lazy(
      () => import('./explore/directory.tsx'),
      (module) => module.Directory,
    ),
  },
  { path: '/lists', load: ownThings((module) => module.Lists) },
  { path: '/followed_tags', load: ownThings((module) => module.FollowedTags) },
]
