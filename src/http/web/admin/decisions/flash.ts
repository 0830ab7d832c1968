import { hasPermission } from '#domain/identity/accounts/permissions.ts'
import { limitKinds } from '#domain/trust/moderation/account-limits.ts'
import { isOneOf } from '#lib/collections.ts'
import type { AccountId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { Flash } from '../../kit/flash.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import type { DecisionType } from './decision.ts'

/** What was decided, with the way back where there is one for the viewer. */
export function toFlash(call: DeskCall, accountId: AccountId, type: DecisionType): Flash {
  const t = textsIn(call.language).pages.admin
  const mayLift = isOneOf(limitKinds, type) && hasPermission(call.viewer, 'manage_users')
  const undo = { action: `/admin/accounts/${accountId}/lift`, hidden: { kind: type } }
  return { text: t.did.decide({ decision: t.decisions[type].name }), ...(mayLift && { undo }) }
}
