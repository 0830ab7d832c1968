// The JSON of what differs between those who look at a status, as `JSON.stringify` writes it. It is most of what a page
// costs to write, so it is put together of few texts that are there already.
import type { PreviewCard } from '#entities/preview-card.ts'
import type { QuoteApproval, Status } from '#entities/status.ts'
import { writeMembers, writeValue } from '#lib/json/json-text.ts'
import type { JsonWriter } from '#lib/json/json-writer.ts'

/** The keys that are not the same for everyone, or change without the status. */
export type ViewedKey =
  | 'sensitive'
  | 'favourited'
  | 'reblogged'
  | 'muted'
  | 'bookmarked'
  | 'filtered'
  | 'pinned'
  | 'reactions'
  | `${'replies' | 'reblogs' | 'favourites' | 'quotes'}_count`
  | 'account'
  | 'reblog'
  | 'poll'
  | 'quote'
  | 'tagged_collections'
  | 'quote_approval'
  | 'interaction_policy'

/** Their members, without braces. `card`: one that is not kept with the status. */
export function writeViewed(
  out: JsonWriter,
  viewed: Pick<Status, ViewedKey>,
  card: PreviewCard | undefined,
): void {
  out.text(
    `"sensitive":${viewed.sensitive},"replies_count":${viewed.replies_count},"reblogs_count":${viewed.reblogs_count},"favourites_count":${viewed.favourites_count},"quotes_count":${viewed.quotes_count},"account":`,
  )
  writeValue(out, viewed.account)
  writeContained(out, viewed)
  writeApproval(out, viewed.quote_approval)
  const { interaction_policy, reactions } = viewed
  if (interaction_policy || reactions || card) {
    out.text(',')
    writeMembers(out, { interaction_policy, card, reactions })
  }
  writeMarks(out, viewed)
}

/** What statuses may contain and mostly do not. */
function writeContained(
  out: JsonWriter,
  { reblog, poll, quote, tagged_collections }: Pick<Status, ViewedKey>,
) {
  if (reblog === null && poll === null && quote === null && tagged_collections.length === 0) {
    return out.text(',"reblog":null,"poll":null,"quote":null,"tagged_collections":[]')
  }
  out.text(',')
  writeMembers(out, { reblog, poll, quote, tagged_collections })
}

function writeApproval(out: JsonWriter, { automatic, manual, current_user }: QuoteApproval): void {
  out.text(
    `,"quote_approval":{"automatic":${toJsonList(automatic)},"manual":${toJsonList(manual)},"current_user":"${current_user}"}`,
  )
}

const toJsonList = (words: readonly string[]) => (words.length === 0 ? '[]' : JSON.stringify(words))

/** By what the viewer did: 1 favourited, 2 reblogged, 4 muted, 8 bookmarked. */
const marks = Array.from(
  { length: 16 },
  (_, did) =>
    `,"favourited":${(did & 1) > 0},"reblogged":${(did & 2) > 0},"muted":${(did & 4) > 0},"bookmarked":${(did & 8) > 0},"filtered":`,
)

function writeMarks(out: JsonWriter, viewed: Pick<Status, ViewedKey>): void {
  const { favourited, reblogged, muted, bookmarked, filtered, pinned } = viewed
  if (!filtered) return
  out.text(
    marks[(favourited ? 1 : 0) + (reblogged ? 2 : 0) + (muted ? 4 : 0) + (bookmarked ? 8 : 0)] as string,
  )
  if (filtered.length === 0) out.text('[]')
  else writeValue(out, filtered)
  if (pinned !== undefined) out.text(pinned ? ',"pinned":true' : ',"pinned":false')
}
