import type { Ctx } from '#ports/ctx.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import {
  isWhole,
  loadEncounters,
  type Encounters,
  type StatusState,
} from '#domain/content/statuses/load-viewer-state.ts'
import { readWalked, type WalkedList } from '#db/walked-page.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** A page of statuses, and what the viewer sees of them and of what they boost. */
export interface SeenPage extends Page<StatusId> {
  states: ReadonlyMap<StatusId, StatusState>
}

type Walked = WalkedList<StatusId, Encounters>

/** `has`: whether the list has a status that the viewer sees. */
export interface SeenList extends Pick<Walked, 'walk' | 'exact'> {
  has: (state: StatusState, encounters: Encounters) => boolean
}

/** A page of statuses that a viewer sees, who has an account here or is a stranger. */
export async function readSeenPage(
  ctx: Ctx,
  viewerId: AccountId | null,
  page: PageRequest,
  { has, ...list }: SeenList,
): Promise<SeenPage> {
  const { rows, known } = await readWalked<StatusId, Encounters>(page, {
    ...list,
    know: (ids) => loadEncounters(ctx, viewerId, ids),
    has: (id, encounters) => {
      const state = encounters.states.get(id)
      return state !== undefined && isWhole(state, encounters.states) && has(state, encounters)
    },
  })
  return { ...toPage(rows, page, (id) => id), states: known.states }
}
