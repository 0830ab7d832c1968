import { count, entity, flag, id, numeral, text, type Json, type Schema } from './entity.ts'

/** https://docs.joinmastodon.org/entities/Role/ */
const role = entity('Role', {
  id,
  name: text,
  permissions: numeral,
  color: text,
  highlighted: flag,
  collection_limit: count,
})
export interface Role extends Json<typeof role> {}
export const Role: Schema<Role> = role

/** https://docs.joinmastodon.org/entities/Account/#roles: what everybody sees of the role that somebody has. */
const accountRole = entity('AccountRole', { id, name: text, color: text })
export interface AccountRole extends Json<typeof accountRole> {}
export const AccountRole: Schema<AccountRole> = accountRole
