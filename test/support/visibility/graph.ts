// Small graphs of people, what is between them, and what they wrote: drawn by fast-check, then made possible.
import fc from 'fast-check'
import type { StatusVisibility } from '#domain/content/statuses/visibility.ts'

/** People of this server are 0 to 3, the one of another server is 4. A stranger is null. */
export const localPeople = [0, 1, 2, 3] as const
export const remotePerson = 4
export type Viewer = number | null

export interface Follow {
  from: number
  to: number
  notify: boolean
  reblogs: boolean
}

export interface Pair {
  from: number
  to: number
}

export interface Mute extends Pair {
  notifications: boolean
}

export interface Status {
  index: number
  author: number
  kind: 'plain' | 'reply' | 'boost' | 'quote'
  /** What it answers, boosts or quotes. */
  target: number | null
  visibility: StatusVisibility
  localOnly: boolean
  /** Who is named, and whether silently. Whoever is quoted is named silently. */
  mentions: ReadonlyMap<number, boolean>
  /** Whom it answers: those who answer themselves answer whom they answered before. */
  replyTo: number | null
  /** The author of what is quoted has consented. */
  consent: boolean
  tag: boolean
  card: boolean
  media: boolean
  poll: boolean
  warned: boolean
}

export interface List {
  owner: number
  members: number[]
  repliesPolicy: 'followed' | 'list' | 'none'
  exclusive: boolean
}

export interface Mark {
  kind: 'favourite' | 'bookmark' | 'pin'
  who: number
  status: number
}

/** What happens after all has been laid and its effects have run. */
export type Change =
  | { kind: 'unfollow' | 'block' | 'mute'; from: number; to: number }
  | { kind: 'hideDomain' | 'suspend' | 'silence'; who: number }
  | { kind: 'delete' | 'edit'; status: number }

export interface Graph {
  follows: Follow[]
  requests: Pair[]
  blocks: Pair[]
  mutes: Mute[]
  hideDomain: number[]
  silenced: number[]
  discoverable: number[]
  indexable: number[]
  followTag: number[]
  statuses: Status[]
  lists: List[]
  marks: Mark[]
  changes: Change[]
}

const anyone = fc.integer({ min: 0, max: 4 })
const local = fc.integer({ min: 0, max: 3 })
const some = (arbitrary: fc.Arbitrary<number>, maxLength: number) =>
  fc.uniqueArray(arbitrary, { maxLength, size: 'max' })
const differ = <T extends Pair>(arbitrary: fc.Arbitrary<T>) => arbitrary.filter(({ from, to }) => from !== to)
const samePair = ({ from, to }: Pair) => `${from} ${to}`
const pair = { from: anyone, to: anyone }
const rarely = fc.nat(4).map((n) => n === 0)

function pairs<T extends Pair>(
  arbitrary: fc.Arbitrary<T>,
  maxLength: number,
  minLength = 0,
): fc.Arbitrary<T[]> {
  return fc.uniqueArray(differ(arbitrary), { selector: samePair, minLength, maxLength, size: 'max' })
}

const drawnStatus = fc.record({
  author: anyone,
  kind: fc.constantFrom(
    'plain' as const,
    'plain' as const,
    'reply' as const,
    'boost' as const,
    'quote' as const,
  ),
  target: fc.nat(),
  visibility: fc.constantFrom<StatusVisibility[]>(
    ...(['public', 'public', 'public', 'unlisted', 'private', 'private', 'direct', 'limited'] as const),
  ),
  localOnly: rarely,
  mentions: fc.uniqueArray(fc.tuple(anyone, fc.boolean()), { selector: ([who]) => who, maxLength: 2 }),
  consent: fc.nat(3).map((n) => n > 0),
  tag: fc.boolean(),
  card: fc.boolean(),
  media: rarely,
  poll: rarely,
  warned: rarely,
})
type DrawnStatus = typeof drawnStatus extends fc.Arbitrary<infer T> ? T : never

const status = fc.nat()
const change: fc.Arbitrary<Change> = fc.oneof(
  differ(
    fc.record({ kind: fc.constantFrom('unfollow', 'block', 'block', 'mute'), ...pair }),
  ) as fc.Arbitrary<Change>,
  fc.record({ kind: fc.constant('hideDomain' as const), who: local }),
  fc.record({ kind: fc.constantFrom('suspend' as const, 'silence' as const), who: anyone }),
  fc.record({ kind: fc.constantFrom('delete' as const, 'edit' as const), status }),
)

const drawnGraph = fc.record({
  follows: pairs(fc.record({ ...pair, notify: rarely, reblogs: rarely.map((no) => !no) }), 14, 6),
  requests: pairs(fc.record(pair), 3),
  blocks: pairs(fc.record(pair), 2),
  mutes: pairs(fc.record({ from: local, to: anyone, notifications: fc.boolean() }), 2),
  hideDomain: some(local, 1),
  silenced: some(anyone, 1),
  discoverable: some(anyone, 4),
  indexable: some(anyone, 4),
  followTag: some(local, 2),
  statuses: fc.array(drawnStatus, { minLength: 6, maxLength: 12, size: 'max' }),
  lists: fc.array(
    fc.record({
      owner: local,
      members: fc.uniqueArray(anyone, { minLength: 2, maxLength: 4, size: 'max' }),
      repliesPolicy: fc.constantFrom('followed' as const, 'list' as const, 'none' as const),
      exclusive: fc.nat(2).map((n) => n === 0),
    }),
    { maxLength: 3, size: 'max' },
  ),
  marks: fc.uniqueArray(
    fc.record({
      kind: fc.constantFrom('favourite', 'bookmark', 'pin'),
      who: anyone,
      status,
    }) as fc.Arbitrary<Mark>,
    {
      selector: (mark) => `${mark.kind} ${mark.who} ${mark.status}`,
      minLength: 4,
      maxLength: 14,
      size: 'max',
    },
  ),
  changes: fc.array(change, { maxLength: 4, size: 'max' }),
})

export const anyGraph: fc.Arbitrary<Graph> = drawnGraph.map((drawn) => {
  const statuses = makeStatuses(drawn.statuses)
  const blocks = drawn.blocks
  const apart = ({ from, to }: Pair) =>
    blocks.some((block) => samePair(block) === `${from} ${to}` || samePair(block) === `${to} ${from}`) ||
    (to === remotePerson && drawn.hideDomain.includes(from)) ||
    (from === remotePerson && drawn.hideDomain.includes(to))
  const follows = drawn.follows.filter((one) => !apart(one))
  const followed = new Set(follows.map(samePair))
  return {
    ...drawn,
    statuses,
    follows,
    requests: drawn.requests.filter((one) => !apart(one) && !followed.has(samePair(one))),
    lists: drawn.lists.map((list) => ({
      ...list,
      members: list.members.filter((who) => who === list.owner || followed.has(`${list.owner} ${who}`)),
    })),
    marks: makeMarks(drawn.marks, statuses),
    changes: makeChanges(drawn.changes, statuses),
  }
})

/** Boosts are of originals, each once, and no wider than these; `limited` comes from other servers only. */
function makeStatuses(drawn: readonly DrawnStatus[]): Status[] {
  const made: Status[] = []
  for (const one of drawn) made.push(makeStatus(one, made))
  return made
}

function makeStatus(drawn: DrawnStatus, before: readonly Status[]): Status {
  const target = pickOriginal(before, drawn.target)
  const kind = target && canBe(drawn, target, before) ? drawn.kind : 'plain'
  const author = kind === 'boost' && target?.visibility === 'private' ? target.author : drawn.author
  const remote = author === remotePerson
  const visibility = drawn.visibility === 'limited' && !remote ? 'direct' : drawn.visibility
  const mentions = new Map(drawn.mentions.filter(([who]) => who !== author))
  const common = { index: before.length, author, kind, consent: drawn.consent }
  if (!target || kind === 'plain') {
    return {
      ...drawn,
      ...common,
      target: null,
      replyTo: null,
      mentions,
      visibility,
      localOnly: drawn.localOnly && !remote,
    }
  }
  if (kind === 'boost') {
    const wide = visibility === 'direct' || visibility === 'limited' ? 'public' : visibility
    const bare = { tag: false, card: false, media: false, poll: false, warned: false, localOnly: false }
    const shown = target.visibility === 'private' ? 'private' : wide
    return { ...common, ...bare, target: target.index, replyTo: null, mentions: new Map(), visibility: shown }
  }
  if (kind === 'quote' && target.author !== author && !mentions.has(target.author))
    mentions.set(target.author, true)
  const replyTo =
    kind === 'quote' ? null : target.author === author ? (target.replyTo ?? author) : target.author
  return {
    ...drawn,
    ...common,
    target: target.index,
    replyTo,
    mentions,
    visibility,
    localOnly: drawn.localOnly && !remote,
  }
}

function pickOriginal(before: readonly Status[], nth: number): Status | undefined {
  const found = before[nth % Math.max(1, before.length)]
  return found?.kind === 'boost' ? before[found.target as number] : found
}

function canBe(drawn: DrawnStatus, target: Status, before: readonly Status[]): boolean {
  if (drawn.kind !== 'boost') return true
  const author = target.visibility === 'private' ? target.author : drawn.author
  const open = target.visibility !== 'direct' && target.visibility !== 'limited'
  return (
    open &&
    !before.some((one) => one.kind === 'boost' && one.target === target.index && one.author === author)
  )
}

/** Boosts are marked as what they boost; people pin what is their own. */
function makeMarks(drawn: readonly Mark[], statuses: readonly Status[]): Mark[] {
  const marks = drawn.map((mark): Mark => {
    const original = pickOriginal(statuses, mark.status) as Status
    return { ...mark, status: original.index, who: mark.kind === 'pin' ? original.author : mark.who }
  })
  const names = marks.map((mark) => `${mark.kind} ${mark.who} ${mark.status}`)
  return marks.filter((_, index) => names.indexOf(names[index] as string) === index)
}

/** Who is suspended can do nothing any more, so that comes last. */
function makeChanges(drawn: readonly Change[], statuses: readonly Status[]): Change[] {
  const changes = drawn.map((one) =>
    'status' in one ? { ...one, status: one.status % statuses.length } : one,
  )
  const suspensions = changes.filter((one) => one.kind === 'suspend').slice(0, 1)
  return [...changes.filter((one) => one.kind !== 'suspend'), ...suspensions].filter(
    (one) => one.kind !== 'edit' || canEdit(statuses[one.status] as Status),
  )
}

/** An edit says anew which media and poll a status has; only texts are edited here. */
const canEdit = (one: Status) =>
  one.kind !== 'boost' && one.author !== remotePerson && !one.media && !one.poll

const plain: Omit<Status, 'index' | 'author' | 'visibility'> = {
  kind: 'plain',
  target: null,
  localOnly: false,
  mentions: new Map(),
  replyTo: null,
  consent: true,
  tag: false,
  card: false,
  media: false,
  poll: false,
  warned: false,
}

/** One with an occasion for every operation: what is hidden has a poll and media, somebody asks to be heard. */
export const knownGraph: Graph = {
  follows: [{ from: 2, to: 1, notify: true, reblogs: true }],
  requests: [{ from: 1, to: 0 }],
  blocks: [{ from: 4, to: 3 }],
  mutes: [{ from: 2, to: 3, notifications: false }],
  hideDomain: [1],
  silenced: [],
  discoverable: [0, 1, 2, 3, 4],
  indexable: [0, 1, 2, 3, 4],
  followTag: [0],
  statuses: [
    { ...plain, index: 0, author: 0, visibility: 'private', tag: true, card: true, media: true, poll: true },
    { ...plain, index: 1, author: 0, visibility: 'direct', mentions: new Map([[1, false]]) },
    { ...plain, index: 2, author: 4, visibility: 'private', media: true, poll: true },
    { ...plain, index: 3, author: 1, visibility: 'public', tag: true, card: true },
    { ...plain, index: 4, author: 2, visibility: 'public', kind: 'boost', target: 3 },
    {
      ...plain,
      index: 5,
      author: 3,
      visibility: 'public',
      kind: 'quote',
      target: 3,
      mentions: new Map([[1, true]]),
    },
    { ...plain, index: 6, author: 2, visibility: 'unlisted', kind: 'reply', target: 3, replyTo: 1 },
    // Whom its author blocks sees neither it nor the boost, though nobody blocks them who boosted.
    { ...plain, index: 7, author: 4, visibility: 'public' },
    { ...plain, index: 8, author: 2, visibility: 'public', kind: 'boost', target: 7 },
  ],
  lists: [{ owner: 2, members: [1], repliesPolicy: 'list', exclusive: false }],
  marks: [
    { kind: 'favourite', who: 2, status: 3 },
    { kind: 'bookmark', who: 1, status: 0 },
    { kind: 'pin', who: 1, status: 3 },
  ],
  changes: [],
}
