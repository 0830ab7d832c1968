import type { Account } from '#entities/account.ts'
import { t } from '../../core/texts.ts'
import { isModerator } from '../../data/session.ts'
import type { MenuItem } from '../controls/menu.tsx'

/** The way to somebody's page on the staff's desk, for those who have one. */
export function forModerators({ id, acct }: Account): MenuItem[] {
  if (!isModerator.peek()) return []
  return [{ label: t.profile.desk({ name: `@${acct}` }), icon: 'list', href: `/admin/accounts/${id}` }]
}
