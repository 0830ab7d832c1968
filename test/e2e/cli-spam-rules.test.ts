// `bin/stonechat spam-rules` and `held-posts`.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findViewer } from '#domain/identity/oauth/find-viewer.ts'
import { createStatus } from '#domain/content/statuses/publish/create-status.ts'
import { useCli } from '#test/processes/cli.ts'

const cli = useCli({ beside: 'outside' })
const { run, json, fails, inDatabase } = cli

async function ruleFile(rule: unknown): Promise<string> {
  const file = path.join(cli.server.dataDir, 'rule.json')
  await writeFile(file, typeof rule === 'string' ? rule : JSON.stringify(rule))
  return file
}

/** What the person is told whose post is refused; null: it was published. */
const say = (username: string, text: string) =>
  inDatabase(async ({ ctx }) => {
    const account = await ctx.db
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
    const viewer = await findViewer(ctx, account.id)
    if (!viewer) throw new Error('there is no such login')
    return createStatus(ctx, viewer, { text, applicationId: null }).then(
      () => null,
      (error: Error) => error.message,
    )
  })

test('rules are added, tried, switched and removed', async () => {
  await run('accounts', 'create', 'ann', '--email', 'ann@mail.example', '--confirmed')
  expect(await say('ann', 'best casino')).toBeNull()
  const rule = { name: 'Casinos', action: 'reject', conditions: { keywords: ['casino'] } }
  expect(await run('spam-rules', 'test', await ruleFile(rule))).toMatch(/^1 of 1 posts\n\d+$/)
  const id = await run('spam-rules', 'add', await ruleFile(rule))
  expect(await run('spam-rules', 'list')).toBe(
    [id, 'reject', '0 hits', 'Casinos', '{"keywords":["casino"]}'].join('\t'),
  )
  expect(await say('ann', 'casino')).toContain('refused')
  expect(await run('spam-rules', 'disable', id)).toBe('OK')
  expect(await say('ann', 'casino')).toBeNull()
  expect(await json('spam-rules', 'test', id, '--json', '--hours', '2')).toMatchObject({
    count: 2,
    examined: 2,
  })
  expect(await run('spam-rules', 'enable', id)).toBe('OK')
  expect(await run('spam-rules', 'remove', id)).toBe('OK')
  expect(await run('spam-rules', 'list')).toBe('')
  expect(await fails('spam-rules', 'add', await ruleFile('{'))).toContain('rule.json')
  expect(await fails('spam-rules', 'add', await ruleFile({ name: 'x', conditions: {} }))).toContain(
    'Conditions',
  )
  expect(await fails('spam-rules', 'test', id, '--hours', '169')).toContain('--hours')
})

test('posts that wait are listed, released and rejected', async () => {
  await run('accounts', 'create', 'ben', '--email', 'ben@mail.example', '--confirmed')
  const rule = { name: 'Coins', action: 'hold', conditions: { keywords: ['coins'] } }
  const id = await run('spam-rules', 'add', await ruleFile(rule))
  for (const text of ['coins 1', 'coins 2', 'coins 3']) expect(await say('ben', text)).toContain('waits')
  const waiting = await json<{ id: string; content: string }[]>('held-posts', 'list', '--json')
  expect(waiting.map(({ content }) => content)).toEqual(['coins 3', 'coins 2', 'coins 1'])
  const [third, second] = waiting.map(({ id: heldId }) => heldId)
  if (third === undefined || second === undefined) throw new Error('nothing waits')
  expect(await run('held-posts', 'release', third)).toBe('OK')
  expect(await run('held-posts', 'reject', second)).toBe('OK')
  expect(await fails('held-posts', 'reject', second)).toBe(`There is no held post ${second}`)
  expect(await json('spam-rules', 'undo', id, '--json')).toMatchObject({ hits: 3, released: 1 })
  expect(await run('held-posts', 'list')).toBe('')
})
