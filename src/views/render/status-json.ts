// How a status becomes JSON: what is kept of it as it is, what differs from viewer to viewer around its author.
import { LRUCache } from 'lru-cache'
import type { Status } from '#entities/status.ts'
import { plain, writeMembers, writeValue } from '#lib/json/json-text.ts'
import type { JsonWriter, Writes } from '#lib/json/json-writer.ts'
import type { KeptJson, Rest } from '#lib/json/kept-json.ts'

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

/** With the card, when an account wrote what it is of: accounts change without the statuses that link to what they wrote. */
export type Viewed = Pick<Status, ViewedKey> & Partial<Pick<Status, 'card'>>

interface Around {
  before: string
  after: string
}

/** Reads and writes a status by the JSON that is kept of it. */
export class StatusJson<Fixed extends object> implements Rest<Fixed>, Writes {
  readonly #kept: KeptJson<Fixed>
  readonly #viewed: Viewed
  readonly #forMany: boolean
  /** Where it is not among what is kept, which is put beside it when somebody looks at the status. */
  readonly #card: Viewed['card']
  /** What stands around the account, of one that is for many. */
  #around: Around | undefined

  constructor(kept: KeptJson<Fixed>, viewed: Viewed, forMany: boolean) {
    this.#kept = kept
    this.#viewed = viewed
    this.#forMany = forMany
    this.#card = viewed.card
  }

  read(): Fixed {
    return this.#kept.read()
  }

  writeTo(out: JsonWriter): void {
    const { account, reblog, quote } = this.#viewed
    const { before, after } = this.#aroundAccount()
    out.bytes(this.#kept.opening)
    out.text(before)
    writeValue(out, account)
    // These hold what knows its JSON.
    if (reblog || quote || this.#card) {
      out.text(',')
      writeMembers(out, { reblog: reblog ?? undefined, quote: quote ?? undefined, card: this.#card })
    }
    out.text(after)
  }

  #aroundAccount(): Around {
    if (this.#around) return this.#around
    const around = { before: beforeAccount(this.#viewed), after: afterAccount(this.#viewed) }
    if (!this.#forMany) return around
    return (this.#around = { before: once(around.before), after: once(around.after) })
  }
}

/** `JSON.stringify` of an object made for it takes twice as long. */
const beforeAccount = (viewed: Viewed): string =>
  `"sensitive":${viewed.sensitive},"replies_count":${viewed.replies_count},"reblogs_count":${viewed.reblogs_count},` +
  `"favourites_count":${viewed.favourites_count},"quotes_count":${viewed.quotes_count},"account":`

/** Texts that many statuses share, each once: most have the same counters, and differ for nobody in the same way. */
const common = new LRUCache<string, string>({ max: 1_000 })

function once(text: string): string {
  const known = common.get(text)
  if (known !== undefined) return known
  // Read from bytes it is one piece, and not the pieces that it was put together from.
  const whole = Buffer.from(text).toString()
  common.set(whole, whole)
  return whole
}

/** What is null is written here, and the brace that closes. */
function afterAccount(viewed: Viewed): string {
  const { automatic, manual, current_user } = viewed.quote_approval
  const nulls = `${viewed.reblog ? '' : ',"reblog":null'}${viewed.quote ? '' : ',"quote":null'}`
  const approval = `{"automatic":${jsonOf(automatic)},"manual":${jsonOf(manual)},"current_user":"${current_user}"}`
  const shared = `,"poll":${jsonOf(viewed.poll)},"tagged_collections":${jsonOf(viewed.tagged_collections)},"quote_approval":${approval}`
  return (
    nulls +
    shared +
    member('interaction_policy', viewed.interaction_policy) +
    member('reactions', viewed.reactions) +
    member('favourited', viewed.favourited) +
    member('reblogged', viewed.reblogged) +
    member('muted', viewed.muted) +
    member('bookmarked', viewed.bookmarked) +
    member('filtered', viewed.filtered) +
    member('pinned', viewed.pinned) +
    '}'
  )
}

/** What is not defined is left out. */
const member = (name: ViewedKey, value: boolean | object | undefined): string =>
  value === undefined ? '' : `,"${name}":${jsonOf(value)}`

/** Most lists are empty. */
const jsonOf = (value: boolean | object | null) =>
  Array.isArray(value) && value.length === 0 ? '[]' : plain(value)
