import { sql, type Kysely } from 'kysely'

/**
 * How many ask to follow somebody is kept with the counters of the account, and told of as those are (migration
 * `shown-rows`): by whoever asks, withdraws or is answered, and to all who listen where another program does it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create trigger follow_requests_shown after insert or delete on follow_requests
      for each row execute function tell_change_of_row('account_stats', 'target_account_id')`.execute(db)
  await sql`
    create trigger follow_requests_shown_notify after insert or delete on follow_requests
      for each statement when (current_setting('application_name') <> 'stonechat')
      execute function notify_change('account_stats')`.execute(db)
}
