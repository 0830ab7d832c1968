import type { ListFacts } from '#domain/reading/lists/queries.ts'

/** List (https://docs.joinmastodon.org/entities/List/). */
export function renderList(list: ListFacts): Record<string, unknown> {
  const { id, title, replies_policy, exclusive } = list
  return { id, title, replies_policy, exclusive }
}
