// What is so in a graph, before or after its changes: the facts that expectations are made of, without a database.
import { canSee } from '#domain/content/statuses/visibility.ts'
import {
  remotePerson,
  type Change,
  type Follow,
  type Graph,
  type Mute,
  type Status,
  type Viewer,
} from './graph.ts'
import { asId, type AccountId } from '#lib/id.ts'

export interface World {
  readonly graph: Graph
  readonly statuses: readonly Status[]
  follow(from: Viewer, to: number): Follow | undefined
  blocks(from: Viewer, to: Viewer): boolean
  mute(from: Viewer, to: number): Mute | undefined
  /** Hides the server of the remote person. */
  hidesDomain(who: Viewer): boolean
  isSilenced(who: number): boolean
  isSuspended(who: number): boolean
  isDeleted(index: number): boolean
  isEdited(index: number): boolean
}

const key = (from: Viewer, to: Viewer) => `${from} ${to}`

/** The world of a graph; with `changes`, after them. */
export function worldOf(graph: Graph, changes: readonly Change[] = []): World {
  const follows = new Map(graph.follows.map((one) => [key(one.from, one.to), one]))
  const blocks = new Set(graph.blocks.map((one) => key(one.from, one.to)))
  const mutes = new Map(graph.mutes.map((one) => [key(one.from, one.to), one]))
  const hidden = new Set(graph.hideDomain)
  const silenced = new Set(graph.silenced)
  const [suspended, deleted, edited] = [new Set<number>(), new Set<number>(), new Set<number>()]
  const part = (a: number, b: number) => {
    follows.delete(key(a, b))
    follows.delete(key(b, a))
  }
  for (const change of changes) {
    if ('status' in change) (change.kind === 'edit' ? edited : deleted).add(change.status)
    else if ('from' in change) {
      const { kind, from, to } = change
      if (kind === 'unfollow') follows.delete(key(from, to))
      if (kind === 'mute') mutes.set(key(from, to), { from, to, notifications: true })
      if (kind !== 'block') continue
      blocks.add(key(from, to))
      part(from, to)
    } else if (change.kind === 'hideDomain') {
      hidden.add(change.who)
      part(change.who, remotePerson)
    } else (change.kind === 'suspend' ? suspended : silenced).add(change.who)
  }
  return {
    graph,
    statuses: graph.statuses,
    follow: (from, to) => follows.get(key(from, to)),
    blocks: (from, to) => blocks.has(key(from, to)),
    mute: (from, to) => mutes.get(key(from, to)),
    hidesDomain: (who) => who !== null && hidden.has(who),
    isSilenced: (who) => silenced.has(who),
    isSuspended: (who) => suspended.has(who),
    isDeleted: (index) => deleted.has(index) || isDeletedWith(graph, deleted, index),
    isEdited: (index) => edited.has(index),
  }
}

/** Boosts go with what they boost. */
function isDeletedWith(graph: Graph, deleted: ReadonlySet<number>, index: number): boolean {
  const status = graph.statuses[index]
  return status?.kind === 'boost' && deleted.has(status.target as number)
}

export function statusOf(world: World, index: number): Status {
  return world.statuses[index] as Status
}

/** What a boost boosts; other statuses are their own original. */
export function originalOf(world: World, status: Status): Status {
  return status.kind === 'boost' ? statusOf(world, status.target as number) : status
}

/** The predicate of the domain, fed with the graph; a boost needs it of itself and of its original. */
export function sees(world: World, viewer: Viewer, index: number): boolean {
  const status = statusOf(world, index)
  if (world.isDeleted(index)) return false
  const allowed = canSee({
    viewerId: viewer === null ? null : asId<AccountId>(String(viewer)),
    authorId: asId<AccountId>(String(status.author)),
    visibility: status.visibility,
    authorAvailable: !world.isSuspended(status.author),
    blockedByAuthor: world.blocks(status.author, viewer),
    followsAuthor: world.follow(viewer, status.author) !== undefined,
    mentioned: viewer !== null && status.mentions.has(viewer),
    localOnly: status.localOnly,
    viewerIsLocal: viewer !== null && viewer !== remotePerson,
  })
  return allowed && (status.kind !== 'boost' || sees(world, viewer, status.target as number))
}

/** The indexes of statuses for which a condition holds and which the viewer may see. */
export function seen(
  world: World,
  viewer: Viewer,
  condition: (status: Status) => boolean = () => true,
): number[] {
  return world.statuses
    .filter((one) => condition(one) && sees(world, viewer, one.index))
    .map((one) => one.index)
}

/** The person blocks or mutes somebody. */
export function avoids(world: World, who: Viewer, other: number): boolean {
  return world.blocks(who, other) || world.mute(who, other) !== undefined
}

/** The person hides the server of somebody. */
export function hidesServerOf(world: World, who: Viewer, other: number): boolean {
  return other === remotePerson && world.hidesDomain(who)
}

/**
 * The viewer meets an author in places where people come across each other: neither blocks the other, and the viewer
 * mutes neither the author nor their server.
 */
export function meets(world: World, viewer: Viewer, author: number): boolean {
  return (
    viewer === null ||
    !(avoids(world, viewer, author) || world.blocks(author, viewer) || hidesServerOf(world, viewer, author))
  )
}
