// What each list must show, each by its own rules, of a world. `seen` makes sure of `canSee` everywhere.
import { type List, type Status, type Viewer } from './graph.ts'
import { avoids, hidesServerOf, meets, originalOf, seen, sees, statusOf, type World } from './world.ts'

const isPublic = (status: Status) => status.visibility === 'public' && status.kind !== 'boost'

export interface AccountOptions {
  only_media?: true
  exclude_replies?: true
  exclude_reblogs?: true
  pinned?: true
  tagged?: true
}

/**
 * What the author wrote is not left out for blocks or mutes of the viewer, who went there; boosts of others whom they will
 * not meet are, but for their own boosts.
 */
export function accountStatuses(
  world: World,
  viewer: Viewer,
  author: number,
  options: AccountOptions,
): number[] {
  const pinned = new Set(world.graph.marks.filter((mark) => mark.kind === 'pin').map((mark) => mark.status))
  return seen(
    world,
    viewer,
    (one) =>
      one.author === author &&
      (one.kind !== 'boost' || author === viewer || meets(world, viewer, originalOf(world, one).author)) &&
      (!options.only_media || one.media) &&
      (!options.exclude_replies || one.kind !== 'reply' || one.replyTo === one.author) &&
      (!options.exclude_reblogs || one.kind !== 'boost') &&
      (!options.pinned || pinned.has(one.index)) &&
      (!options.tagged || one.tag),
  )
}

export interface PublicOptions {
  local?: true
  remote?: true
  only_media?: true
}

const comesFrom = (options: PublicOptions) => (one: Status) =>
  (!options.local || one.author < 4) &&
  (!options.remote || one.author === 4) &&
  (!options.only_media || one.media)

/** Nobody limited, nobody the viewer will not meet; no boosts, no replies to others. */
export function publicTimeline(world: World, viewer: Viewer, options: PublicOptions): number[] {
  return seen(
    world,
    viewer,
    (one) =>
      isPublic(one) &&
      (one.kind !== 'reply' || one.replyTo === one.author) &&
      comesFrom(options)(one) &&
      isShownTo(world, viewer, one),
  )
}

function isShownTo(world: World, viewer: Viewer, one: Status): boolean {
  return !world.isSilenced(one.author) && meets(world, viewer, one.author)
}

/** As the public timeline, with replies. */
export function tagTimeline(world: World, viewer: Viewer, options: PublicOptions): number[] {
  return seen(
    world,
    viewer,
    (one) => isPublic(one) && one.tag && comesFrom(options)(one) && isShownTo(world, viewer, one),
  )
}

/** As a hashtag, of people who want to be found. Edits here leave out the link, and the card goes with it. */
export function linkTimeline(world: World, viewer: Viewer): number[] {
  return seen(
    world,
    viewer,
    (one) =>
      isPublic(one) &&
      one.card &&
      !world.isEdited(one.index) &&
      world.graph.discoverable.includes(one.author) &&
      isShownTo(world, viewer, one),
  )
}

/** Of those that have a score. */
export function trendingStatuses(world: World, viewer: Viewer, scored: readonly number[]): number[] {
  const showsWell = (one: Status) =>
    isPublic(one) && !one.localOnly && !one.warned && !world.isSilenced(one.author)
  const quotesCalmly = (one: Status) => {
    if (one.kind !== 'quote' || !one.consent || world.isDeleted(one.target as number)) return true
    const quoted = statusOf(world, one.target as number)
    return showsWell(quoted) && !world.isSuspended(quoted.author)
  }
  return seen(
    world,
    viewer,
    (one) =>
      scored.includes(one.index) &&
      showsWell(one) &&
      one.kind !== 'reply' &&
      world.graph.discoverable.includes(one.author) &&
      quotesCalmly(one) &&
      meets(world, viewer, one.author),
  )
}

/** Nobody in a status, its author, those it names and the same of what it boosts, is blocked or muted. */
function notMutedOrBlocked(world: World, who: number, one: Status): boolean {
  const original = originalOf(world, one)
  return ![one.author, original.author, ...original.mentions.keys()].some((other) =>
    avoids(world, who, other),
  )
}

/** What holds of all that a follow brings. */
function allowedByFollow(world: World, who: number, one: Status): boolean {
  const follow = world.follow(who, one.author)
  if (!follow) return false
  const original = originalOf(world, one)
  const boost =
    one.kind !== 'boost' ||
    (follow.reblogs && !world.blocks(original.author, who) && !hidesServerOf(world, who, original.author))
  return boost && notMutedOrBlocked(world, who, one)
}

/** One's own, what follows bring but for exclusive lists, and what followed hashtags bring. */
export function homeEntries(world: World, who: number): Status[] {
  const kept = new Set(
    world.graph.lists.filter((list) => list.owner === who && list.exclusive).flatMap((list) => list.members),
  )
  return world.statuses.filter((one) => {
    if (world.isDeleted(one.index)) return false
    if (one.author === who) return true
    return (entersHome(world, who, one) && !kept.has(one.author)) || byTag(world, who, one)
  })
}

export function entersHome(world: World, who: number, one: Status): boolean {
  const open = one.visibility !== 'direct' && one.visibility !== 'limited'
  const replies =
    one.replyTo === null || [one.author, who].includes(one.replyTo) || world.follow(who, one.replyTo)
  return (open || one.mentions.has(who)) && Boolean(replies) && allowedByFollow(world, who, one)
}

function byTag(world: World, who: number, one: Status): boolean {
  return (
    world.graph.followTag.includes(who) &&
    isPublic(one) &&
    one.tag &&
    notMutedOrBlocked(world, who, one) &&
    !world.blocks(one.author, who) &&
    !hidesServerOf(world, who, one.author)
  )
}

export function listEntries(world: World, list: List): Status[] {
  const { owner } = list
  const members = list.members.filter((who) => who === owner || world.follow(owner, who))
  return world.statuses.filter((one) => {
    if (world.isDeleted(one.index) || !members.includes(one.author)) return false
    const open = one.visibility !== 'direct' && one.visibility !== 'limited'
    const { replyTo } = one
    const reply =
      replyTo === null ||
      [one.author, owner].includes(replyTo) ||
      (list.repliesPolicy === 'followed' && world.follow(owner, replyTo) !== undefined) ||
      (list.repliesPolicy === 'list' && members.includes(replyTo))
    return open && reply && (one.author === owner || allowedByFollow(world, owner, one))
  })
}

/** A feed shows of several boosts of one status, and of that itself, the oldest. */
export function shownInFeed(world: World, who: number, entries: readonly Status[]): number[] {
  const oldest = new Map<number, number>()
  for (const one of entries) {
    const original = originalOf(world, one).index
    if (!oldest.has(original)) oldest.set(original, one.index)
  }
  return [...oldest.values()].filter((index) => sees(world, who, index))
}

/** Originals of what a feed shows, whichever boost stands for them. */
export function originalsOf(world: World, indexes: readonly number[]): number[] {
  return [...new Set(indexes.map((index) => originalOf(world, statusOf(world, index)).index))]
}

/** Marked statuses stay in the list as long as they may be seen, whoever is blocked or muted. */
export function marked(world: World, who: number, kind: 'favourite' | 'bookmark'): number[] {
  const ids = world.graph.marks
    .filter((mark) => mark.kind === kind && mark.who === who)
    .map((mark) => mark.status)
  return seen(world, who, (one) => ids.includes(one.index))
}

/** One's own, and of people whom one meets; limited ones are met by their followers. */
function passesStatusFilter(world: World, viewer: Viewer, one: Status): boolean {
  const isFollowed = world.follow(viewer, one.author) !== undefined
  return (
    one.author === viewer ||
    (meets(world, viewer, one.author) && (!world.isSilenced(one.author) || isFollowed))
  )
}

/** The thread above, and all below, through statuses that the viewer cannot see or does not meet. */
export function context(world: World, viewer: Viewer, index: number): { above: number[]; below: number[] } {
  const parent = (one: Status) => (one.kind === 'reply' ? one.target : null)
  const above: number[] = []
  for (let up = parent(statusOf(world, index)); up !== null; up = parent(statusOf(world, up))) above.push(up)
  const below = new Set([index])
  for (const one of world.statuses) if (below.has(parent(one) ?? -1)) below.add(one.index)
  below.delete(index)
  const isShown = (one: number) =>
    sees(world, viewer, one) && passesStatusFilter(world, viewer, statusOf(world, one))
  return {
    above: above.filter(isShown),
    below: [...below].filter(isShown),
  }
}

/** By nobody whom the viewer blocks or mutes, or whose server they hide. */
export function quotes(world: World, viewer: Viewer, index: number): number[] {
  const quoted = originalOf(world, statusOf(world, index)).index
  return seen(
    world,
    viewer,
    (one) =>
      one.kind === 'quote' &&
      one.consent &&
      one.target === quoted &&
      !avoids(world, viewer, one.author) &&
      !hidesServerOf(world, viewer, one.author),
  )
}

/** All statuses have the word that is looked for. */
export function found(world: World, who: number): number[] {
  const { marks, indexable } = world.graph
  const inLibrary = (one: Status) =>
    one.author === who ||
    one.mentions.has(who) ||
    marks.some((mark) => mark.kind !== 'pin' && mark.who === who && mark.status === one.index) ||
    world.statuses.some(
      (boost) =>
        boost.kind === 'boost' &&
        boost.author === who &&
        boost.target === one.index &&
        !world.isDeleted(boost.index),
    )
  const open = (one: Status) => one.visibility === 'public' && indexable.includes(one.author)
  return seen(
    world,
    who,
    (one) => one.kind !== 'boost' && (open(one) || inLibrary(one)) && passesStatusFilter(world, who, one),
  )
}
