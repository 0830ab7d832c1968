import type { Selectable } from 'kysely'
import type { AccountsTable } from '#db/schema/accounts.ts'

/** The keys of the files of an account. */
export type AccountFiles = Pick<
  Selectable<AccountsTable>,
  'avatar_key' | 'avatar_static_key' | 'header_key' | 'header_static_key'
>
