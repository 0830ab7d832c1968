import { count, entity, flag, id, numeral, text, type Json } from './entity.ts'

/** https://docs.joinmastodon.org/entities/Role/ */
export const Role = entity('Role', {
  id,
  name: text,
  permissions: numeral,
  color: text,
  highlighted: flag,
  collection_limit: count,
})
export interface Role extends Json<typeof Role> {}

/** https://docs.joinmastodon.org/entities/Account/#roles: what everybody sees of the role that somebody has. */
export const AccountRole = entity('AccountRole', { id, name: text, color: text })
export interface AccountRole extends Json<typeof AccountRole> {}
