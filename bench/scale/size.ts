// How large a server is made, and where everything of it is: ids follow from numbers, so that what belongs together is
// written by single statements.
import { timeToId } from '#lib/ids.ts'

/** People of this server and of others in one group: the posts that are copied are by the people of one. */
const localsOfGroup = 100
const remotesOfGroup = 200
export const groupSize = localsOfGroup + remotesOfGroup
/** Posts that are written one by one; the others are copies of them. */
export const templatePosts = 10_000
/** Posts of the template are a minute apart. */
export const minute = 60_000
const day = 86_400_000
/** Before the end there are so many milliseconds without copies: the longest thread, with a millisecond for each answer. */
export const latest = 6_000
/** Copies of the template lie one before the other as far as this, and then between each other. */
export const weeks = 52

export interface Size {
  posts: number
  /** Of this server. There are twice as many of others. */
  people: number
  /** Other servers. */
  hosts: number
  /** Entries of each home feed. */
  feed: number
  /** Answers in the longest thread. */
  thread: number
  /** Notifications of the one who has very many. */
  notifications: number
}

const million = 1_000_000

/** Sizes from lists of posts and people, each number of posts with the number of people at its place. */
export function parseSizes(posts: string, people: string, feed: string): Size[] {
  const [some, others] = [posts, people].map((list) => list.split(',').map(Number)) as [number[], number[]]
  if (some.length !== others.length) throw new Error('as many numbers of people as of posts are wanted')
  return some.map((count, index) => {
    const locals = others[index] ?? 0
    if (count % templatePosts !== 0 || !(count > 0))
      throw new Error(`posts come in tens of thousands, not ${count}`)
    if (locals % localsOfGroup !== 0 || !(locals > 0))
      throw new Error(`people come in hundreds, not ${locals}`)
    return {
      posts: count,
      people: locals,
      hosts: Math.min(5_000, Math.max(10, locals / 20)),
      feed: Number(feed),
      thread: Math.min(5_000, count / 10),
      notifications: count > million ? million : count / 10,
    }
  })
}

export const groupsOf = ({ people }: Size): number => people / localsOfGroup
export const remotesOf = (size: Size): number => groupsOf(size) * remotesOfGroup

/** What all of one server is counted from: when its first account was made and when its newest post was written, in milliseconds. */
export interface Epoch {
  born: number
  now: number
}

export const epochAt = (now: number): Epoch => ({ born: now - 400 * day, now })

/** Accounts by their number: of each group the people of this server come first. */
export const accountAt = ({ born }: Epoch, place: number): string => timeToId(born + place)

const placeOfLocal = (index: number): number =>
  Math.floor(index / localsOfGroup) * groupSize + (index % localsOfGroup)

/** The account of somebody here, by the number that is in their name and token. */
export const localAt = (epoch: Epoch, index: number): string => accountAt(epoch, placeOfLocal(index))

/** The same as SQL. */
export const localSql = ({ born }: Epoch, index: string): string =>
  `((${born}::bigint + (${index}) / ${localsOfGroup} * ${groupSize} + (${index}) % ${localsOfGroup}) << 16)`

/** The account of somebody of another server, by a number from 0, as SQL. */
export const remoteSql = ({ born }: Epoch, index: string): string =>
  `((${born}::bigint + (${index}) / ${remotesOfGroup} * ${groupSize} + ${localsOfGroup} + (${index}) % ${remotesOfGroup}) << 16)`

/** The account of any number, as SQL. */
export const accountSql = ({ born }: Epoch, place: string): string => `((${born}::bigint + (${place})) << 16)`

/** Whether an account is of this server, as SQL. */
export const isLocalSql = ({ born }: Epoch, account: string): string =>
  `((((${account}) >> 16) - ${born}::bigint) % ${groupSize} < ${localsOfGroup})`

/**
 * Those of whom there is one: a `star` whom all people here follow, one whom all of other servers follow, one who wrote
 * a tenth of all posts, one who has very many notifications, one with ninety followers, and one of the staff.
 */
export const singles = ['star', 'remoteStar', 'prolific', 'notified', 'speaker', 'admin'] as const
export type Single = (typeof singles)[number]

export interface Person {
  /** The account. */
  id: string
  /** Of their name and token. */
  index: number
}

export function singlesOf(epoch: Epoch, size: Size): Record<Single, Person> {
  const people = singles.map((name, place) => {
    const id = accountAt(epoch, groupsOf(size) * groupSize + place)
    return [name, { id, index: size.people + place }] as const
  })
  return Object.fromEntries(people) as Record<Single, Person>
}

/** A server that was made. */
export interface Grown {
  size: Size
  epoch: Epoch
  singles: Record<Single, Person>
  /** A thousand of the newest public statuses of people here. */
  publicIds: string[]
  /** The first status of the longest thread. */
  thread: string
  /** Words by how many wrote them. */
  words: { rare: string[]; middling: string[]; common: string[] }
  /** Cursors in the middle of what is long. */
  middle: { status: string; follower: string; notification: string }
}
