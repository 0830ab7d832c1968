import type { DeletionPolicy } from '#entities/deletion-policy.ts'
import type { DeletionPolicy as Policy } from '#domain/maintenance/retention/deletion-policy.ts'

/** When somebody's own posts go by themselves: an extension of the API, with the names of Mastodon's form. */
export const renderDeletionPolicy = (policy: Policy): DeletionPolicy => ({
  enabled: policy.enabled,
  min_status_age: policy.min_status_age,
  keep_direct: policy.keep_direct,
  keep_pinned: policy.keep_pinned,
  keep_polls: policy.keep_polls,
  keep_media: policy.keep_media,
  keep_self_fav: policy.keep_self_favourite,
  keep_self_bookmark: policy.keep_self_bookmark,
  min_favs: policy.min_favourites,
  min_reblogs: policy.min_reblogs,
})
