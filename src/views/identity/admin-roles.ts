import type { AdminRole } from '#entities/admin/server.ts'
import type { RoleRow } from '#domain/identity/roles/queries.ts'
import { namePermissions } from '#domain/identity/roles/rules.ts'
import { formatTime } from '#lib/time/time.ts'

/** Role (https://docs.joinmastodon.org/entities/Role/), with what only staff need to know. */
export function renderAdminRole(role: RoleRow): AdminRole {
  return {
    id: role.id,
    name: role.name,
    color: role.color,
    permissions: role.permissions,
    permission_names: namePermissions(BigInt(role.permissions)),
    highlighted: role.highlighted,
    collection_limit: role.collection_limit,
    position: role.position,
    require_2fa: role.require_2fa,
    created_at: formatTime(role.created_at),
    updated_at: formatTime(role.updated_at),
  }
}
