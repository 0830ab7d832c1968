// Of which statuses people are told, and by whom.
import type { Status } from './graph.ts'
import { entersHome } from './expected.ts'
import { hidesServerOf, originalOf, sees, statusOf, type World } from './world.ts'

interface Candidate {
  type: string
  from: number
  to: number
  /** What it is about. */
  about: number
  cause: Status | null
}

/** The kinds that the acts of a graph bring about; what changes bring (`update`, `quoted_update`) is not among them. */
export const notifiedKinds = ['mention', 'status', 'reblog', 'favourite', 'quote']

export const nameOf = (type: string, from: number, about: number) => `${type} by ${from} about ${about}`

/**
 * What somebody has in their list, also what their policy sets aside: told when it happened in `before`, and not taken
 * back by what is so `after`.
 */
export function notifications(before: World, after: World, who: number): string[] {
  const told = candidates(before).filter(
    (one) => one.to === who && isTold(before, who, one) && remains(after, who, one),
  )
  return told.map((one) => nameOf(one.type, one.from, one.about))
}

function candidates(world: World): Candidate[] {
  const favourites = world.graph.marks
    .filter((mark) => mark.kind === 'favourite')
    .map((mark): Candidate => {
      const to = statusOf(world, mark.status).author
      return { type: 'favourite', from: mark.who, to, about: mark.status, cause: null }
    })
  return [...favourites, ...world.statuses.flatMap((one) => ofStatus(world, one))]
}

function ofStatus(world: World, one: Status): Candidate[] {
  const about = { from: one.author, about: one.index, cause: one }
  if (one.kind === 'boost') {
    const original = originalOf(world, one)
    return [{ ...about, type: 'reblog', to: original.author, about: original.index }]
  }
  const named = [...one.mentions].filter(([, silent]) => !silent).map(([to]) => to)
  const asked = world.graph.follows.filter(
    ({ notify, to, from }) => notify && to === one.author && !named.includes(from),
  )
  const heard = asked.filter(
    ({ from }) => (one.kind !== 'reply' || one.replyTo === one.author) && entersHomeOf(world, from, one),
  )
  return [
    ...named.map((to) => ({ ...about, type: 'mention', to })),
    ...heard.map(({ from: to }) => ({ ...about, type: 'status', to })),
    ...(one.kind === 'quote' && one.consent
      ? [{ ...about, type: 'quote', to: statusOf(world, one.target as number).author }]
      : []),
  ]
}

/** As home, exclusive lists too. */
function entersHomeOf(world: World, who: number, one: Status): boolean {
  const kept = world.graph.lists.some(
    (list) => list.owner === who && list.exclusive && list.members.includes(one.author),
  )
  return !kept && entersHome(world, who, one)
}

const silences = (world: World, who: number, other: number) => world.mute(who, other)?.notifications === true

function isTold(world: World, who: number, { type, from, about, cause }: Candidate): boolean {
  const hidden = hidesServerOf(world, who, from) && !world.follow(who, from)
  if (from === who || world.blocks(who, from) || silences(world, who, from) || hidden) return false
  const company = type === 'mention' && cause ? companyOf(cause) : []
  return (
    sees(world, who, about) &&
    !company.some((other) => world.blocks(who, other) || silences(world, who, other))
  )
}

function companyOf(one: Status): number[] {
  const named = [...one.mentions].filter(([, silent]) => !silent).map(([other]) => other)
  return one.replyTo === null ? named : [...named, one.replyTo]
}

function remains(world: World, who: number, { type, from, about, cause }: Candidate): boolean {
  const lost = type === 'quote' && world.isDeleted(cause?.target as number)
  const gone = lost || (cause !== null && world.isDeleted(cause.index))
  const hidden = hidesServerOf(world, who, from) && !world.follow(who, from)
  const unwanted = world.blocks(who, from) || silences(world, who, from) || hidden
  return !gone && !unwanted && !world.isSuspended(from) && sees(world, who, about)
}
