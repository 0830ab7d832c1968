import type { z } from 'zod'
import type { GroupFilter } from '#domain/reading/notifications/walk-groups.ts'
import { texts, word } from '#http/kit/params/fields.ts'
import { filterOf, filterParams } from '../../v1/notifications/params.ts'

/** The kinds that the app shows in groups. */
export const groupedParam = { grouped_types: texts() }
export const expandParam = { expand_accounts: word(['full', 'partial_avatars']) }

const all = { ...filterParams, ...groupedParam }

export function groupFilterOf(params: z.output<z.ZodObject<typeof all>>): GroupFilter {
  return { ...filterOf(params), groupedTypes: params.grouped_types }
}
