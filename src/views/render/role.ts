const administrator = 1n
/** The bits of all permissions there are. */
const allPermissions = (1n << 23n) - 1n

export interface ShownRole {
  id: string
  name: string
  color: string
  highlighted: boolean
  /** In decimal, with those of everybody. */
  permissions: string
  collection_limit: number
}

/** Role (https://docs.joinmastodon.org/entities/Role/); administrators have every permission. */
export function renderRole(role: ShownRole) {
  const permissions = BigInt(role.permissions)
  return {
    id: role.id,
    name: role.name,
    permissions: String((permissions & administrator) === 0n ? permissions : allPermissions),
    color: role.color,
    highlighted: role.highlighted,
    collection_limit: role.collection_limit,
  }
}
