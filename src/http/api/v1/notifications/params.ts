import type { z } from 'zod'
import type { NotificationFilter } from '#domain/reading/notifications/queries.ts'
import { text, texts, truthy } from '#http/kit/params/fields.ts'
import { isId } from '#lib/ids.ts'
import { asId, noId, type AccountId } from '#lib/id.ts'

/** Which notifications are asked for. */
export const filterParams = {
  types: texts(),
  exclude_types: texts(),
  account_id: text(),
  include_filtered: truthy(),
}

/** The kinds that the app knows. */
export const supportedParam = { supported_types: texts() }

/** An `account_id` that is none names no account: nothing comes from it. */
export function filterOf(params: z.output<z.ZodObject<typeof filterParams>>): NotificationFilter {
  const from = params.account_id || undefined
  return {
    types: params.types,
    excludeTypes: params.exclude_types,
    fromAccountId: from === undefined ? undefined : isId(from) ? asId<AccountId>(from) : noId(),
    includeFiltered: params.include_filtered,
  }
}
