// Who may read the feeds of people they do not follow: settings of the server.
import type { Reader } from '#ports/ctx.ts'
import { hasPermission } from '#domain/identity/accounts/permissions.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { getSettings, type FeedAccess, type Settings } from '#domain/server/instance/settings.ts'

/** `live`: the public timeline. `topic`: those of hashtags and links. */
export type FeedKind = 'live' | 'topic'

/** Which posts, by where they come from. */
export interface Origins {
  local: boolean
  remote: boolean
}

/** Which posts the settings let the viewer read in feeds of a kind. null: strangers. */
export async function findFeedAccess(
  reader: Reader,
  viewer: Viewer | null,
  kind: FeedKind,
): Promise<Origins> {
  const { local, remote } = accessOf(await getSettings(reader), kind)
  return { local: isOpen(viewer, local), remote: isOpen(viewer, remote) }
}

/** The settings of a kind of feeds. */
export function accessOf(settings: Settings, kind: FeedKind): { local: FeedAccess; remote: FeedAccess } {
  return kind === 'live'
    ? { local: settings.local_live_feed_access, remote: settings.remote_live_feed_access }
    : { local: settings.local_topic_feed_access, remote: settings.remote_topic_feed_access }
}

function isOpen(viewer: Viewer | null, access: FeedAccess): boolean {
  if (access === 'public') return true
  if (viewer === null) return false
  return access === 'authenticated' || hasPermission(viewer, 'view_feeds')
}

/** What is left of what was asked for; null when that is nothing. */
export function narrow<T extends { local?: boolean | undefined; remote?: boolean | undefined }>(
  asked: T,
  access: Origins,
): T | null {
  const local = access.local && (asked.local === true || asked.remote !== true)
  const remote = access.remote && asked.local !== true
  if (!local && !remote) return null
  return { ...asked, local: !remote, remote: !local }
}
