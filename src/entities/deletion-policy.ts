import { count, countOrNull, entity, flag, type Json, type Schema } from './entity.ts'

/** An extension: when somebody's own posts go by themselves, with the names of Mastodon's form. */
const deletionPolicy = entity('DeletionPolicy', {
  enabled: flag,
  min_status_age: count,
  keep_direct: flag,
  keep_pinned: flag,
  keep_polls: flag,
  keep_media: flag,
  keep_self_fav: flag,
  keep_self_bookmark: flag,
  min_favs: countOrNull,
  min_reblogs: countOrNull,
})
export interface DeletionPolicy extends Json<typeof deletionPolicy> {}
export const DeletionPolicy: Schema<DeletionPolicy> = deletionPolicy
