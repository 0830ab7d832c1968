import type { StatusVisibility } from '#domain/content/statuses/visibility.ts'
import { isPublicAddress } from '#federation/kit/json.ts'

export interface Audience {
  to: readonly string[]
  cc: readonly string[]
}

/**
 * Who may see a status of another server, by whom it is addressed to
 * (https://docs.joinmastodon.org/spec/activitypub/#properties-used). `tagged`: the actors it mentions. What nobody
 * understands opens it to nobody. Some address what they write to themselves too: nobody else sees it for that.
 */
export function readVisibility(
  { to, cc }: Audience,
  { uri, followersUrl }: { uri: string; followersUrl: string | null },
  tagged: readonly string[],
): StatusVisibility {
  if (to.some(isPublicAddress)) return 'public'
  if (cc.some(isPublicAddress)) return 'unlisted'
  const all = [...to, ...cc]
  if (followersUrl !== null && all.includes(followersUrl)) return 'private'
  const named = new Set([uri, ...tagged])
  return all.every((one) => named.has(one)) ? 'direct' : 'limited'
}
