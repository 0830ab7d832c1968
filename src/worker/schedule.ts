/** The cron table: minute hour day month weekday job. Times are UTC. */
export const crontab = `
* * * * * expire-mutes
17 4 * * * delete-stale-users
7 * * * * trim-home-feeds
23 4 * * * purge-deleted-statuses
47 * * * * purge-idempotency-keys
31 4 * * * purge-oauth
`
