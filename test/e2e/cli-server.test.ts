// `bin/stonechat roles`, `rules`, `terms`, `webhooks`, and what settings and accounts have to do with them.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { claimOwnName } from '#domain/server/instance/own-name.ts'
import { useCli } from '#test/processes/cli.ts'

const cli = useCli({ beside: 'outside' })
const { run, fails } = cli

/** What the operator did to things of a type, in order. */
const actionsOn = (type: string) =>
  cli.inDatabase(async ({ ctx }) => {
    const { rows } = await sql<{ action: string }>`
      select action from audit_log where target_type = ${type} and actor = 'operator' order by id`.execute(
      ctx.db,
    )
    return rows.map((row) => row.action)
  })

test('roles are made, changed, given and deleted', async () => {
  await cli.server.people('rita')
  const id = await run(
    'roles',
    'create',
    'Keeper',
    '--permissions',
    'manage_rules,manage_users',
    '--position',
    '7',
  )
  expect(id).toMatch(/^\d+$/)
  expect(await run('roles', 'modify', 'keeper', '--color', '#abcdef', '--highlighted', 'true')).toBe('OK')
  const roles = JSON.parse(await run('roles', 'list', '--json'))
  expect(roles.find((role: { id: string }) => role.id === id)).toMatchObject({
    name: 'Keeper',
    color: '#abcdef',
    position: 7,
    permissions: String(0x1000 + 0x400),
    highlighted: true,
  })
  expect(await run('accounts', 'modify', 'rita', '--role', 'Keeper')).toBe('OK')
  expect(await run('roles', 'delete', 'Keeper', '--dry-run')).toBe('Would delete Keeper')
  expect(await run('roles', 'delete', 'Keeper')).toBe('Deleted Keeper')
  expect(await fails('roles', 'delete', 'Owner')).toContain('cannot be deleted')
  expect(await fails('roles', 'modify', 'everybody', '--permissions', 'manage_users')).toContain('not safe')
  expect(await fails('roles', 'modify', 'Admin', '--highlighted', 'maybe')).toContain('true or false')
  expect(await actionsOn('user_role')).toEqual(['create', 'update', 'destroy'])
  expect(await actionsOn('user')).toContain('change_role')
})

test('of several roles of one name none is taken by it', async () => {
  const [first, second] = [await run('roles', 'create', 'Twin'), await run('roles', 'create', 'twin')]
  const refused = `Several roles are called TWIN: give the id of one (${first}, ${second})`
  const email = 'tina@example.org'
  for (const words of [
    ['roles', 'delete', 'TWIN'],
    ['roles', 'modify', 'TWIN', '--position', '3'],
    ['accounts', 'create', 'tina', '--email', email, '--role', 'TWIN'],
  ])
    expect(await fails(...words)).toBe(refused)
  expect(await run('accounts', 'create', 'tina', '--email', email, '--role', second)).toContain('OK')
  expect(await fails('accounts', 'modify', 'tina', '--role', 'TWIN')).toBe(refused)
  expect(await run('accounts', 'modify', 'tina', '--role', first)).toBe('OK')
  expect(await run('roles', 'delete', second)).toBe('Deleted twin')
  expect(await run('roles', 'delete', 'TWIN')).toBe('Deleted Twin')
  for (const none of ['Twin', first])
    expect(await fails('roles', 'delete', none)).toBe(
      `There is no role ${none}; there are Owner, Admin, Moderator`,
    )
})

test('settings leave a row in the log, and pictures are set', async () => {
  expect(await run('settings', 'set', 'site_title', 'Harbour')).toBe('site_title: "Harbour"')
  expect(await run('settings', 'registrations', 'approved', '--require-reason')).toContain('approved')
  const settings = JSON.parse(await run('settings', 'show', '--json'))
  expect(settings).toMatchObject({
    site_title: 'Harbour',
    registrations_mode: 'approved',
    require_invite_text: true,
  })
  expect(await fails('settings', 'set', 'local_topic_feed_access', 'disabled')).toContain(
    'public, authenticated',
  )
  expect(await actionsOn('setting')).toEqual(['update', 'update', 'update'])
  const picture = path.join(cli.server.dataDir, 'picture.png')
  const background = { r: 1, g: 2, b: 3 }
  await writeFile(
    picture,
    await sharp({ create: { width: 64, height: 64, channels: 3, background } })
      .png()
      .toBuffer(),
  )
  expect(await run('settings', 'upload', 'app_icon', picture)).toBe('OK')
  expect(await run('settings', 'upload', 'app_icon', '--remove')).toBe('OK')
  expect(await fails('settings', 'upload', 'banner', picture)).toContain('thumbnail, app_icon, favicon')
  expect(await actionsOn('site_upload')).toEqual(['update', 'destroy'])
})

test('rules and terms are written', async () => {
  const rule = await run('rules', 'create', 'Be kind', '--hint', 'To all')
  expect(await run('rules', 'modify', rule, '--text', 'Be very kind')).toBe('OK')
  expect(await run('rules', 'list')).toBe(`${rule}\t0\tBe very kind`)
  for (const words of [['--priority', '-2'], ['--priority=-2']]) {
    expect(await run('rules', 'modify', rule, ...words)).toBe('OK')
    expect(await run('rules', 'list')).toBe(`${rule}\t-2\tBe very kind`)
  }
  expect(await run('rules', 'delete', rule)).toBe('OK')
  expect(await run('rules', 'list', '--json')).toBe('[]')
  const file = path.join(cli.server.dataDir, 'terms.txt')
  await writeFile(file, 'These are the terms.\n')
  const terms = await run('terms', 'create', file, '--changelog', 'All is new')
  expect(await run('terms', 'show', terms)).toBe('These are the terms.')
  expect(await run('terms', 'publish', terms)).toBe('OK')
  expect(await fails('terms', 'delete', terms)).toContain('stay as they are')
  expect(await run('terms', 'notify', terms)).toBe('OK')
  expect(await run('terms', 'list')).toMatch(new RegExp(`^${terms}\\t\\d{4}-\\d\\d-\\d\\d\\tpublished$`))
  expect(await actionsOn('terms_of_service')).toEqual(['create', 'publish', 'notify'])
})

test('webhooks are made, turned off and deleted', async () => {
  const made = await run('webhooks', 'create', 'https://hooks.example/', '--events', 'report.created')
  const [, id] = /^(\d+)\nSecret: \S+$/.exec(made) ?? []
  expect(id).toBeDefined()
  expect(await run('webhooks', 'disable', id as string)).toBe('OK')
  const listed = await run('webhooks', 'list', '--json')
  expect(JSON.parse(listed)).toMatchObject([{ id, enabled: false, events: ['report.created'] }])
  expect(listed).not.toContain('secret')
  expect(await run('webhooks', 'rotate-secret', id as string)).toMatch(/^Secret: \S+$/)
  expect(await run('webhooks', 'delete', id as string)).toBe('OK')
  expect(await fails('webhooks', 'create', 'https://10.0.0.1/', '--events', 'report.created')).toContain(
    'private',
  )
  expect(await fails('webhooks', 'test', 'x')).toContain('is not an id')
})

test.each([
  [['accounts', 'delete', '@nobody@away.example'], 'account @nobody@away.example here'],
  [['accounts', 'follow', 'nobody'], 'account nobody here'],
  [['accounts', 'unfollow', 'nobody'], 'account nobody here'],
  [['accounts', 'migrate', 'rita', '--target', 'nobody'], 'other account nobody that could be found'],
  [['announcements', 'delete', '12'], 'announcement 12'],
  [['block-lists', 'exclude', 'away.example', '--remove'], 'exclusion of away.example'],
  [['block-lists', 'refresh', '12'], 'subscription 12'],
  [['block-lists', 'unsubscribe', '12'], 'subscription 12'],
  [['held-posts', 'reject', '12'], 'held post 12'],
  [['held-posts', 'release', '12'], 'held post 12'],
  [['media', 'refresh', '--account', 'nobody@away.example'], 'account nobody@away.example here'],
  [['relays', 'remove', '12'], 'relay 12'],
  [['retention', 'pause', 'naps'], 'naps in `retention list`'],
  [['retention', 'resume', 'naps'], 'naps in `retention list`'],
  [['retention', 'run', 'naps'], 'naps in `retention list`'],
  [['rules', 'delete', '12'], 'rule 12'],
  [['rules', 'modify', '12', '--hint', 'x'], 'rule 12'],
  [['settings', 'upload', 'favicon', '--remove'], "picture of this server's own as favicon"],
  [['spam-rules', 'disable', '12'], 'rule 12'],
  [['spam-rules', 'remove', '12'], 'rule 12'],
  [['spam-rules', 'test', '12'], 'rule 12'],
  [['spam-rules', 'undo', '12'], 'rule 12'],
  [['terms', 'delete', '12'], 'version or draft 12 of the terms'],
  [['terms', 'publish', '12'], 'version or draft 12 of the terms'],
  [['terms', 'show', '12'], 'version or draft 12 of the terms'],
  [['webhooks', 'delete', '12'], 'webhook 12'],
  [['webhooks', 'rotate-secret', '12'], 'webhook 12'],
  [['webhooks', 'test', '12'], 'webhook 12'],
])('%j says what there is not', async (words, thing) => {
  expect(await fails(...words)).toBe(`There is no ${thing}`)
})

test('what is no id is told before anything is asked for', async () => {
  for (const words of [
    ['block-lists', 'refresh', 'x'],
    ['block-lists', 'unsubscribe', 'x'],
  ])
    expect(await fails(...words)).toContain('"x" is not an id as `block-lists list` shows them')
  expect(await cli.command('jobs', 'discard', 'job-12', 'event-3', 'job-12')).toMatchObject({
    code: 1,
    stderr: 'Not in `jobs list`: job-12, event-3\n',
  })
})

test('data of another domain is refused, but by what brings it elsewhere and by what looks at it', async () => {
  await cli.command('accounts', 'create', 'otto', '--email', 'otto@example.org')
  const ours = `localhost:${cli.server.port}`
  await cli.inDatabase(async ({ ctx }) => {
    await claimOwnName(ctx, 'chat.example')
    try {
      const line = `LOCAL_DOMAIN is "${ours}", but this data is of chat.example, and other servers know its people by that name; set LOCAL_DOMAIN=chat.example, or see docs/operators/domains.md for moving people to another name`
      for (const words of [
        ['roles', 'list'],
        ['accounts', 'modify', 'otto', '--confirm'],
        ['media', 'migrate', 's3', '--dry-run'],
      ])
        expect(await fails(...words)).toBe(line)
      const doctor = await cli.command('doctor')
      expect(doctor.stdout).toMatch(/^FAIL {2}database .*this data is of chat\.example/m)
      expect(doctor.stdout).toMatch(/^\S+ +storage /m)
      const file = path.join(cli.server.dataDir, 'elsewhere.backup')
      expect(await run('backup', file, '--force')).toContain('Backed up')
    } finally {
      await ctx.db.updateTable('secrets').set({ value: ours }).where('name', '=', 'local_domain').execute()
    }
  })
  expect(await run('roles', 'list')).toContain('Owner')
})
