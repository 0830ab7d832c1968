import { sql, type Kysely } from 'kysely'

/** Whether others may know of an account follows from its user as well: lines of accounts are kept in memory by that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [trigger, does] of [
    ['changed', 'tell_change_of_row'],
    ['notify', 'notify_change'],
  ] as const)
    await sql`
      create trigger ${sql.ref(`users_presence_${trigger}`)} after delete or update of confirmed_at, approved on users
        for each row execute function ${sql.ref(does)}('account', 'account_id')`.execute(db)
}
