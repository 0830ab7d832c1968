import type { List } from '#entities/list.ts'
import type { ListFacts } from '#domain/reading/lists/queries.ts'

/** List (https://docs.joinmastodon.org/entities/List/). */
export function renderList(list: ListFacts): List {
  const { id, title, replies_policy, exclusive } = list
  return { id, title, replies_policy, exclusive }
}
