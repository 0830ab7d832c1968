// The one list of the addresses of the desk: in which order they stand, and who may go there.
import type { Permission } from '#domain/identity/accounts/permissions.ts'
import type { WaitingKind } from '#domain/maintenance/dashboard/count-waiting.ts'

export interface Section {
  /** The path is `/admin/NAME`. */
  readonly name: SectionName
  readonly permission: Permission | readonly Permission[]
  /** What is counted beside its name. */
  readonly waiting?: WaitingKind
}

export type GroupName = keyof typeof groups
export type SectionName = (typeof groups)[GroupName][number]['name']

const groups = {
  moderation: [
    { name: 'dashboard', permission: 'view_dashboard' },
    { name: 'reports', permission: 'manage_reports', waiting: 'reports' },
    { name: 'appeals', permission: 'manage_appeals', waiting: 'appeals' },
    { name: 'accounts', permission: 'manage_users', waiting: 'sign_ups' },
    { name: 'held_posts', permission: 'manage_reports', waiting: 'held_posts' },
    { name: 'trends', permission: 'manage_taxonomies', waiting: 'trends' },
  ],
  federation: [
    { name: 'instances', permission: 'manage_federation' },
    { name: 'domain_blocks', permission: 'manage_federation' },
    { name: 'block_lists', permission: 'manage_federation' },
    { name: 'relays', permission: 'manage_federation' },
  ],
  limits: [
    { name: 'invites', permission: 'manage_invites' },
    { name: 'email_domain_blocks', permission: 'manage_blocks' },
    { name: 'ip_blocks', permission: 'manage_blocks' },
    { name: 'username_blocks', permission: 'manage_blocks' },
    { name: 'spam_rules', permission: ['manage_reports', 'manage_blocks'] },
  ],
  server: [
    { name: 'settings', permission: 'manage_settings' },
    { name: 'rules', permission: 'manage_rules' },
    { name: 'terms', permission: 'manage_settings' },
    { name: 'warning_presets', permission: 'manage_settings' },
    { name: 'announcements', permission: 'manage_announcements' },
    { name: 'custom_emojis', permission: 'manage_custom_emojis' },
    { name: 'roles', permission: 'manage_roles' },
    { name: 'webhooks', permission: 'manage_webhooks' },
  ],
  operation: [
    { name: 'jobs', permission: 'view_devops' },
    { name: 'retention', permission: 'view_devops' },
    { name: 'audit_log', permission: 'view_audit_log' },
  ],
} as const

export const sectionGroups = Object.entries(groups) as unknown as readonly [GroupName, readonly Section[]][]
export const sections: readonly Section[] = sectionGroups.flatMap(([, list]) => list)

export const sectionPath = (name: SectionName) => `/admin/${name}`
