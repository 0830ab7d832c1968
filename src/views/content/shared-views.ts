import type { Status } from '#entities/status.ts'
import { areCommon, type ViewerMarks } from '#domain/content/statuses/load-viewer-state.ts'
import { createObjectFacts } from '#lib/json/object-facts.ts'
import { renderStatus, type HydratedStatus } from '../render/status.ts'

/** A status as it looks to all who did nothing to it, and what it was made of. */
interface Shared extends Pick<HydratedStatus, 'fixed' | 'account' | 'reblog'> {
  marks: ViewerMarks
  withReactions: boolean
  view: Status
}

/** What lines of statuses were last rendered to. */
const rendered = createObjectFacts<{ last: Shared }>()

/**
 * As `renderStatus`, but rendered and written once for all who did nothing to the status, for as long as its line is
 * kept: of a page of home that is most of what is shown.
 */
export function renderShared(whole: HydratedStatus): Status {
  if (!looksTheSame(whole)) return renderStatus(whole)
  const { line } = whole.state
  const known = rendered.get(line)
  if (known && isMadeOf(known.last, whole)) return known.last.view
  const last = share(whole)
  if (known) known.last = last
  else rendered.set(line, { last })
  return last.view
}

/** Whether nothing in it is the viewer's own, but for being somebody. */
function looksTheSame({ state, poll, quote, collections, filtered, reactions, viewerId }: HydratedStatus) {
  if (!areCommon(state.marks) || state.author.id === viewerId || poll !== null || quote !== null) return false
  return collections.length === 0 && filtered.length === 0 && (reactions === null || reactions.length === 0)
}

function share(whole: HydratedStatus): Shared {
  const { fixed, account, reblog, state, reactions } = whole
  const view = renderStatus(whole, { forMany: true })
  return { fixed, account, reblog, marks: state.marks, withReactions: reactions !== null, view }
}

/** Common marks tell strangers from people. */
const isMadeOf = (shared: Shared, { fixed, account, reblog, state, reactions }: HydratedStatus): boolean =>
  shared.fixed === fixed &&
  shared.account === account &&
  shared.reblog === reblog &&
  shared.marks === state.marks &&
  shared.withReactions === (reactions !== null)
