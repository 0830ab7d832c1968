// The two forms of the policy against each other, and the whole API against the clock alone: no job runs here.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isMuted, muteEndedSql, muteHolds, muteHoldsSql } from '#domain/social/relationships/mute-policy.ts'
import { useApp } from '#test/app/app.ts'
import { runs } from '#test/run/night.ts'

const app = useApp()

test('the condition in SQL and the one in memory agree, whatever the end, the options and the time are', async () => {
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const pair = { muter: alice.accountId, muted: sql`a.id` }
  const start = Date.UTC(2026, 0, 1)
  const times = fc.integer({ min: -2000, max: 2000 }).map((offset) => start + offset)
  const cases = fc.record({
    expiresAt: fc.option(times),
    hideNotifications: fc.boolean(),
    now: times,
    scope: fc.constantFrom('everything' as const, 'notifications' as const),
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ expiresAt, hideNotifications, now, scope }) => {
      const ends = expiresAt === null ? null : new Date(expiresAt)
      await sql`
        insert into mutes (id, account_id, target_account_id, hide_notifications, expires_at)
        values (1, ${alice.accountId}, ${bob.accountId}, ${hideNotifications}, ${ends})
        on conflict (account_id, target_account_id) do update
          set hide_notifications = excluded.hide_notifications, expires_at = excluded.expires_at`.execute(
        app.ctx.db,
      )
      const at = new Date(now)
      const { rows } = await sql<{ row: boolean; pair: boolean; ended: boolean }>`
        select ${muteHoldsSql('m', at, scope)} as row, ${isMuted(pair, at, scope)} as pair,
          coalesce(${muteEndedSql('m', at)}, false) as ended
        from accounts a join mutes m on m.target_account_id = a.id and m.account_id = ${alice.accountId}
        where a.id = ${bob.accountId}`.execute(app.ctx.db)
      const holds = muteHolds({ expiresAt, hideNotifications }, now, scope)
      const ended = !muteHolds({ expiresAt, hideNotifications: true }, now)
      expect(rows).toEqual([{ row: holds, pair: holds, ended }])
    }),
    { numRuns: runs(200) },
  )
})

/** Who writes, deletes or copies rows whatever their end is, and the policy itself. */
const ownersOfTheTable = new Set([
  'domain/maintenance/deletion/purge-account.ts',
  'domain/federation/moves/move-followers.ts',
  'domain/transfer/portability/overwrite.ts',
  'domain/transfer/portability/preview-import.ts',
  'domain/social/relationships/lists.ts',
  'domain/social/relationships/mute-policy.ts',
  'domain/social/relationships/mute.ts',
  'domain/social/relationships/queries.ts',
  'domain/reading/timelines/end-mutes.ts',
  'domain/reading/timelines/feed-tables.ts',
  'domain/reading/timelines/viewer-rules.ts',
  'domain/transfer/portability/export-csv.ts',
])

test('no condition on mutes is written by hand: who reads the table asks the policy', async () => {
  const root = path.resolve('src')
  const files = (await readdir(root, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('db/'),
  )
  const found: string[] = []
  for (const file of files) {
    const text = await readFile(path.join(root, file), 'utf8')
    if (!/\b(from|join|into|update) mutes\b|'mutes'/.test(text) || !file.startsWith('domain/')) continue
    const byPolicy = /mute-policy\.ts|domain\/social\/relationships\/mute/.test(file + text)
    if (!ownersOfTheTable.has(file) || (!byPolicy && !file.includes('purge-account'))) found.push(file)
  }
  expect(found.filter((file) => !file.endsWith('oauth/scopes.ts'))).toEqual([])
})
