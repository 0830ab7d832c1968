import type { Viewer } from './viewer.ts'
import { asId, type RoleId } from '#lib/id.ts'

/** What roles may allow, as bits (https://docs.joinmastodon.org/entities/Role/#permission-flags). */
export const permissions = {
  administrator: 0x1n,
  view_devops: 0x2n,
  view_audit_log: 0x4n,
  view_dashboard: 0x8n,
  manage_reports: 0x10n,
  manage_federation: 0x20n,
  manage_settings: 0x40n,
  manage_blocks: 0x80n,
  manage_taxonomies: 0x100n,
  manage_appeals: 0x200n,
  manage_users: 0x400n,
  manage_invites: 0x800n,
  manage_rules: 0x1000n,
  manage_announcements: 0x2000n,
  manage_custom_emojis: 0x4000n,
  manage_webhooks: 0x8000n,
  invite_users: 0x10000n,
  manage_roles: 0x20000n,
  manage_user_access: 0x40000n,
  delete_user_data: 0x80000n,
  view_feeds: 0x100000n,
  invite_bypass_approval: 0x200000n,
  manage_email_subscriptions: 0x400000n,
} as const

export type Permission = keyof typeof permissions

/** Whether the viewer's role, or the one of everybody, allows this. Administrators may do everything. */
export function hasPermission(viewer: Pick<Viewer, 'permissions'>, permission: Permission): boolean {
  return (viewer.permissions & (permissions.administrator | permissions[permission])) !== 0n
}

/** Whether the viewer's role allows any one of these. */
export function hasAnyPermission(
  viewer: Pick<Viewer, 'permissions'>,
  wanted: Permission | readonly Permission[],
): boolean {
  return [wanted].flat().some((one) => hasPermission(viewer, one))
}

/** What is no work of staff, and may be allowed to all. */
export const ofEverybody =
  permissions.invite_users | permissions.view_feeds | permissions.invite_bypass_approval

/** Whether the viewer's role gives them any work of staff. */
export const isStaff = (viewer: Pick<Viewer, 'permissions'>): boolean =>
  (viewer.permissions & ~ofEverybody) !== 0n

/** Bits of which a role must have one to allow any of these: theirs, and that of administrators. For SQL. */
export const bitsAllowing = (...names: readonly Permission[]): number =>
  Number(names.reduce<bigint>((bits, name) => bits | permissions[name], permissions.administrator))

/** The role of everybody: what it allows, all may. */
export const everyoneId = asId<RoleId>('-99')

/** The role that somebody holds, as it is shown. */
export interface HeldRole {
  id: string
  name: string
  color: string
  highlighted: boolean
  /** In decimal, with those of everybody. */
  permissions: string
  collection_limit: number
}
