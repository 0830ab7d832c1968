// Which view is shown at which address. The timelines are in the first script; every other view is a chunk of its own:
// `lazy(() => import('./x/x.tsx'), (module) => module.X)`.
import type { Route, View } from '../router/outlet.tsx'
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

export const routes: readonly Route[] = [
  { path: '/home', load: now(timelines.HomeTimeline) },
  { path: '/public', load: now(timelines.FederatedTimeline) },
  { path: '/public/local', load: now(timelines.LocalTimeline) },
  { path: '/public/remote', load: now(timelines.RemoteTimeline) },
  { path: '/tags/:tag', load: now(timelines.TagTimeline) },
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
]
