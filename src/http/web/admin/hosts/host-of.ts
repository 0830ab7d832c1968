import { getKnownHost, type KnownHost } from '#domain/maintenance/dashboard/known-hosts.ts'
import { textParam } from '../../kit/form.ts'
import type { DeskCall } from '../kit/admin-page.ts'

/** The server that the address of a page names. Throws `not_found` for what is none, or not known here. */
export const hostOf = (call: DeskCall): Promise<KnownHost> =>
  getKnownHost(call.ctx, textParam(call.params, 'domain'))
