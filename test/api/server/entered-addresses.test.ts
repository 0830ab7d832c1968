// What staff enter for this server to send to or fetch from is checked when it is saved, as it is when it is used.
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'

const app = useApp()
const insecure = useApp({ env: { LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' } })

const places = [
  { path: '/api/v1/admin/relays', params: (url: string) => ({ inbox_url: url }), name: 'Inbox URL' },
  {
    path: '/api/v1/admin/webhooks',
    params: (url: string) => ({ url, events: ['report.created'] }),
    name: 'Url',
  },
  {
    path: '/api/v1/admin/block_lists/subscriptions',
    params: (url: string) => ({ url }),
    name: 'Url',
  },
]

describe.each(places)('$path', ({ path, params, name }) => {
  test.each([
    ['nonsense', 'malformed'],
    ['ftp://service.example/inbox', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['http://service.example/inbox', 'scheme'],
    ['https://me:hush@service.example/inbox', 'user-info'],
    ['https://chat.example/inbox', 'own-host'],
    ['https://127.0.0.1/inbox', 'private-address'],
    ['https://0x7f000001/inbox', 'private-address'],
    ['https://[::1]/inbox', 'private-address'],
    ['https://localhost/inbox', 'private-address'],
    ['https://169.254.169.254/inbox', 'private-address'],
    ['https://sub.blocked.example/inbox', 'blocked-host'],
    [`https://service.example/${'x'.repeat(2000)}/inbox`, 'too long'],
  ])('refuses %s: %s', async (url, reason) => {
    const owner = await app.person('owner', { role: 'Owner' })
    if (reason === 'blocked-host')
      await owner.post('/api/v1/admin/domain_blocks', { domain: 'blocked.example', severity: 'suspend' })
    const answer = await owner.post(path, params(url))
    expect(answer.status).toBe(422)
    expect(answer.body.error).toBe(`Validation failed: ${name} is not one to send to (${reason})`)
  })

  test('takes what the operator allows', async () => {
    const owner = await insecure.person('owner', { role: 'Owner' })
    expect((await owner.post(path, params('http://127.0.0.1:9/inbox'))).status).toBe(200)
  })
})
