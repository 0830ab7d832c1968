import type { StatusVisibility } from '#domain/content/statuses/visibility.ts'

/** Everybody (https://www.w3.org/TR/activitypub/#public-addressing). */
export const publicAddress = 'https://www.w3.org/ns/activitystreams#Public'

export interface Audience {
  to: string[]
  cc: string[]
}

/** To whom something of this visibility is addressed. `others`: those it names, and whom it boosts. */
export function addressed(
  visibility: StatusVisibility,
  followers: string,
  others: readonly string[],
): Audience {
  switch (visibility) {
    case 'public':
      return { to: [publicAddress], cc: [followers, ...others] }
    case 'unlisted':
      return { to: [followers], cc: [publicAddress, ...others] }
    case 'private':
      return { to: [followers], cc: [...others] }
    case 'direct':
    case 'limited':
      return { to: [...others], cc: [] }
  }
}
