// Something of each kind that the staff's desk keeps a list of, in words of no language, and where it is shown.
import { sql } from 'kysely'
import type { TestApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'

/** Pages of which there is one; of what all kinds have alike one is looked at. */
const single = [
  '/admin/ip_blocks/new',
  '/admin/invites/deactivate_all',
  '/admin/custom_emojis',
  '/admin/jobs',
  '/admin/retention',
  '/admin/instances',
  '/admin/instances/malus.example',
  '/admin/instances/malus.example/stop_deliveries',
  '/admin/instances/malus.example/purge',
  '/admin/domain_blocks/import',
  '/admin/domain_allows/import',
  '/admin/block_lists/exclusions',
]

/** Makes one of each through the API. Returns the addresses of their pages. */
export async function layDeskLists(app: TestApp, staff: Person): Promise<string[]> {
  const paths: string[] = []
  const make = async (name: string, params: Record<string, unknown>, api = name): Promise<string> => {
    const { id } = (await staff.post(`/api/v1/admin/${api}`, params)).ok()
    paths.push(`/admin/${name}`)
    return `/admin/${name}/${id}`
  }
  paths.push(
    await make('ip_blocks', { ip: '192.0.2.0/24', severity: 'no_access', comment: 'Lorem ipsum' }),
    await make('username_blocks', { username: 'avis', comparison: 'contains' }),
    await make('domain_blocks', { domain: 'malus.example', severity: 'silence', private_comment: 'Lorem' }),
    await make(
      'block_lists',
      { url: 'https://index.example/lista.csv', title: 'Index' },
      'block_lists/subscriptions',
    ),
  )
  paths.push(
    await make('announcements', { text: 'Lorem ipsum', published: true }),
    await make('webhooks', { url: 'https://index.example/hamus', events: ['report.created'] }),
    await make('roles', {
      name: 'Custos',
      permissions: '16',
      position: 3,
      color: '#112233',
      highlighted: true,
    }),
    await make('spam_rules', { name: 'Lorem', action: 'hold', conditions: { keywords: ['quisquiliae'] } }),
    await make('rules', { text: 'Lorem ipsum', translations: { la: { text: 'Dolor sit amet' } } }),
    await make('terms', { text: '# Lorem\n\nIpsum', effective_date: '2040-01-01' }, 'terms_of_service'),
  )
  await make('email_domain_blocks', { domain: 'malus.example' })
  await make('canonical_email_blocks', { email: 'malus@avis.org' })
  await make('invites', { comment: 'Lorem ipsum' })
  await make('domain_allows', { domain: 'bonus.example' })
  await make('relays', { inbox_url: 'https://relay.example/inbox' })
  ;(
    await staff.post('/api/v1/admin/block_lists/exclusions', { domain: 'bonus.example', comment: 'Lorem' })
  ).ok()
  await layHost(app, staff)
  const one = (name: string) => paths.find((path) => new RegExp(`^/admin/${name}/\\d`).test(path))
  return [
    ...paths,
    ...single,
    `${one('ip_blocks')}/remove`,
    `/admin/custom_emojis/${(await staff.get('/api/v1/admin/custom_emojis', { limit: 1 })).ok()[0].id}`,
    `${one('terms')}/publish`,
    `${one('spam_rules')}/undo`,
    ...['', '/branding', '/about', '/registrations', '/discovery'].map((part) => `/admin/settings${part}`),
  ]
}

/** A server that does not answer, with something that waits for it. */
async function layHost(app: TestApp, staff: Person): Promise<void> {
  const now = new Date(app.clock.now())
  const [activity, delivery] = [app.ctx.newId(), app.ctx.newId()]
  await sql`
    insert into outbox (event, attempts, error, failed_at) values ('{"type":"lorem"}', 9, 'ipsum', ${now})`.execute(
    app.ctx.db,
  )
  await sql`
    insert into hosts (host, software, software_version, failures, failed_days, last_error, last_error_at, closed_until)
    values ('malus.example', 'mastodon', '4.5.0', 12, 2, '503', ${now}, ${now})`.execute(app.ctx.db)
  await sql`
    insert into outgoing_activities (id, account_id, digest, body, created_at)
    values (${activity}, ${staff.accountId}, 'digest', '{"type":"Create"}', ${now})`.execute(app.ctx.db)
  await sql`
    insert into deliveries (id, activity_id, host, inbox_url, attempts, due_at, error)
    values (${delivery}, ${activity}, 'malus.example', 'https://malus.example/inbox', 3, ${now}, '503')`.execute(
    app.ctx.db,
  )
}

/** What all kinds of things have alike, of which one is looked at. */
export const isAlike = (path: string): boolean =>
  /^\/admin\/(?!ip_blocks)\w+\/(new|:id\{[^}]*\}\/remove)$/.test(path)
