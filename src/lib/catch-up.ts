// The words of a catch-up, which requests say and the entity's users choose from.

/** Each status is of one kind. */
export const catchUpKinds = ['original', 'reply', 'reblog', 'followed_tag'] as const
export type CatchUpKind = (typeof catchUpKinds)[number]

export const catchUpOrders = [
  'newest',
  'oldest',
  'author',
  'thread',
  'density',
  'replies',
  'reblogs',
  'favourites',
] as const
export type CatchUpOrder = (typeof catchUpOrders)[number]
