// How far one thing that another server sent may lead: every fetch that follows from it counts.

/** Steps up a thread. */
export const maxParents = 30
/** What a quote costs of the steps that are left. */
const quoteCost = 6
/**
 * How far what is quoted at `depth` is away. What that quotes in turn is followed once, and its thread hardly, so that
 * threads and quotes which lead on and on to each other do not multiply.
 */
export const quotedDepth = (depth: number) => Math.max(depth, maxParents - 2 * quoteCost) + quoteCost
/** Only of what is this near are unknown actors looked up that it names. */
export const maxMentionDepth = 2
/** So many of them. */
export const maxMentions = 20
/** Replies that a note brought along are fetched, so many. */
export const maxReplies = 5
