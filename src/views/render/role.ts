import type { Role } from '#entities/role.ts'
import type { HeldRole } from '#domain/identity/accounts/permissions.ts'

const administrator = 1n
/** The bits of all permissions there are. */
const allPermissions = (1n << 23n) - 1n

/** Role (https://docs.joinmastodon.org/entities/Role/); administrators have every permission. */
export function renderRole(role: HeldRole): Role {
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
