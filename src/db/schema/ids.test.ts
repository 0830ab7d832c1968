// What the compiler has to refuse; `npm run check` fails where it does not. At run time an id is its text.
import { expect, test } from 'vitest'
import type { Selectable } from 'kysely'
import type { StatusesTable } from './statuses.ts'
import {
  asId,
  asIds,
  noId,
  sameId,
  type AccountId,
  type AnyId,
  type HeldPostId,
  type StatusId,
} from '#lib/id.ts'

const accountId = asId<AccountId>('1')
const statusId = asId<StatusId>('2')
const showStatus = (id: StatusId) => id

test('an id is its text', () => {
  expect([accountId, ...asIds<StatusId>(['3', '4'])]).toEqual(['1', '3', '4'])
  expect(sameId<HeldPostId>(showStatus(statusId))).toBe('2')
  expect(noId<AccountId>()).toBe('0')
})

test('an id of one table, and plain text, do not pass for an id of another table', () => {
  // @ts-expect-error -- An account is no status.
  showStatus(accountId)
  // @ts-expect-error -- Text has to go through the door.
  showStatus('2')
  // @ts-expect-error -- An id is not taken for that of another table by the door either.
  showStatus(asId<StatusId>(accountId))
  // @ts-expect-error -- It is not known of which table it is.
  showStatus(statusId as AnyId)
  // @ts-expect-error -- Nor do the ids of a list pass.
  const statuses: readonly StatusId[] = [accountId]
  expect(statuses).toEqual(['1'])
})

test('rows bring the ids of their tables along', () => {
  const row = { id: statusId, account_id: accountId } as Selectable<StatusesTable>
  expect(showStatus(row.id)).toBe('2')
  // @ts-expect-error -- The author of a status is an account.
  expect(showStatus(row.account_id)).toBe('1')
})
