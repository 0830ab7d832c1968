/**
 * The cron table: minute hour day month weekday job. Times are UTC. Jobs of one queue run one after the other, and of
 * those with a key no more than one waits.
 */
export const crontab = `
* * * * * close-polls
* * * * * end-greylisting
* * * * * expire-mutes
* * * * * lift-limits
* * * * * publish-announcements
* * * * * publish-scheduled
*/5 * * * * refresh-trends ?queue=trends&jobKey=refresh-trends
*/5 * * * * count-today ?queue=counts&jobKey=count-today
11 * * * * count-days ?queue=counts&jobKey=count-days
13,43 * * * * refresh-popular
17 4 * * * delete-stale-users
49 3 * * * delete-due-accounts
7 * * * * trim-home-feeds
9 * * * * trim-list-feeds
12 * * * * delete-unattached-media
*/20 * * * * delete-abandoned-files
33 * * * * trim-media-cache
23 4 * * * purge-deleted-statuses
47 * * * * purge-idempotency-keys
31 4 * * * purge-oauth
39 4 * * * forget-addresses
*/2 * * * * delete-own-statuses
2 2 * * * begin-upkeep
4,9,14,19,24,29,34,39,44,49,54,59 * * * * continue-upkeep
51 * * * * purge-ip-blocks
21 * * * * require-approval
41 4 * * * purge-cards
27 * * * * purge-archives
53 4 * * * purge-imports
53 4 * * * trim-notifications
57 4 * * * trim-audit-log
3 5 * * * purge-held-posts
37 * * * * refresh-stale-accounts
28 * * * * refresh-block-lists ?queue=block-lists&jobKey=refresh-block-lists
19 5 * * * purge-tombstones
11 9 * * * send-digests
`
