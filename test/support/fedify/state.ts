// What a peer on Fedify knows: its actors, their notes, and everything that was sent to it.
import type { webcrypto } from 'node:crypto'
import type { Context } from '@fedify/fedify'
import type { Activity, Note, Question, Recipient } from '@fedify/fedify/vocab'

export type Visibility = 'public' | 'unlisted' | 'private' | 'direct'

/** Somebody who follows, or wants to. */
export interface Follower extends Recipient {
  readonly id: URL
  /** The id of the Follow. */
  readonly follow: URL
}

export interface ActorState {
  readonly name: string
  readonly keys: webcrypto.CryptoKeyPair[]
  locked: boolean
  displayName: string
  summary: string
  aliases: URL[]
  movedTo: URL | null
  /** By their ids, as are those below. */
  readonly followers: Map<string, Follower>
  readonly requests: Map<string, Follower>
  /** Who accepted a Follow of this actor. */
  readonly following: Set<string>
  readonly rejectedBy: Set<string>
}

/** What an actor published: it is served as long as it is here. */
export interface Published {
  readonly author: string
  readonly visibility: Visibility
  readonly mentioned: readonly URL[]
  readonly object: Note | Question
  /** For a Question: who voted for which option. */
  readonly votes: Map<string, Set<string>>
}

export interface Received<T extends Activity = Activity> {
  readonly activity: T
  /** The name of the actor whose inbox it came to; null for the shared inbox. */
  readonly inbox: string | null
}

export interface PeerState {
  readonly actors: Map<string, ActorState>
  /** By id. */
  readonly published: Map<string, Published>
  readonly received: Received[]
  /** The text of everything that was posted here, by id. */
  readonly bodies: Map<string, unknown>
  /** Media by path. */
  readonly files: Map<string, { bytes: Buffer; type: string }>
  /** What was refused, as words: wrong signatures, documents that cannot be read. */
  readonly problems: string[]
}

export type PeerContext = Context<PeerState>

/** Whether somebody may read it; `reader` is null without a valid signature. */
export function mayRead(state: PeerState, entry: Published, reader: string | null): boolean {
  if (entry.visibility === 'public' || entry.visibility === 'unlisted') return true
  if (reader === null) return false
  const followers = state.actors.get(entry.author)?.followers
  const isFollower = entry.visibility === 'private' && followers?.has(reader)
  return isFollower || entry.mentioned.some((actor) => actor.href === reader)
}
