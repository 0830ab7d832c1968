/** The cron table: minute hour day month weekday job. Times are UTC. */
export const crontab = `
* * * * * close-polls
* * * * * expire-mutes
* * * * * publish-announcements
* * * * * publish-scheduled
*/5 * * * * refresh-trends
13,43 * * * * refresh-popular
17 4 * * * delete-stale-users
7 * * * * trim-home-feeds
9 * * * * trim-list-feeds
12 * * * * delete-unattached-media
*/20 * * * * delete-abandoned-files
33 * * * * trim-media-cache
23 4 * * * purge-deleted-statuses
47 * * * * purge-idempotency-keys
31 4 * * * purge-oauth
41 4 * * * purge-cards
27 * * * * purge-archives
53 4 * * * purge-imports
53 4 * * * trim-notifications
37 * * * * refresh-stale-accounts
19 5 * * * purge-tombstones
11 9 * * * send-digests
`
