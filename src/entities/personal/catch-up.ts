import { z } from 'zod'
import type { CatchUpKind, CatchUpOrder } from '#lib/catch-up.ts'
import { Account } from '../account.ts'
import { count, entity, flag, id, idOrNull, ids, type Json, type Schema } from '../entity.ts'
import { PreviewCard } from '../preview-card.ts'

/**
 * What others brought into the home timeline in a span, in order: an extension. Statuses are named by the ids that they have
 * there (a boost by its own), accounts by those of `accounts`. `complete`: the timeline still holds all of the span.
 */
const catchUp = entity('CatchUp', {
  since_id: id,
  /** The newest that is in it; null: nothing is. */
  until_id: idOrNull,
  complete: flag,
  counts: z.strictObject({
    statuses: count,
    authors: count,
    originals: count,
    replies: count,
    reblogs: count,
    followed_tags: count,
    with_links: count,
  }),
  accounts: z.array(Account),
  /** Those with the fewest statuses first. `quiet`: posts rarely. */
  authors: z.array(
    entity('CatchUpAuthor', { account_id: id, quiet: flag, statuses_count: count, status_ids: ids }),
  ),
  /** Threads of more than one status, the longest first. */
  threads: z.array(entity('CatchUpThread', { statuses_count: count, status_ids: ids, account_ids: ids })),
  /** Statuses that people whom one follows boosted, those first that most of them did. */
  reblogged: z.array(entity('CatchUpReblogged', { status_id: id, accounts_count: count, account_ids: ids })),
  /** Links, those first that most people shared. */
  links: z.array(
    entity('CatchUpLink', { card: PreviewCard, accounts_count: count, account_ids: ids, status_ids: ids }),
  ),
})
export interface CatchUp extends Json<typeof catchUp> {}
export const CatchUp: Schema<CatchUp> = catchUp

/** What its statuses are asked for by. */
export interface CatchUpQuery {
  sort: CatchUpOrder
  kinds?: readonly CatchUpKind[]
  with_links?: true
  quiet?: true
  account_id: string | null
}
