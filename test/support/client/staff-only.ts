// Who may not do what staff do.
import type { TestApp } from '#test/app/app.ts'
import type { Client } from './client.ts'

type Call = readonly [verb: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string]

/**
 * Calls as strangers, who should get 401, and as people without the permission, those whose token lacks the scope, and
 * readers who write, who should get 403 before anything of `table` is read (ACC-9). Returns where it was otherwise.
 */
export async function findIntruders(app: TestApp, calls: readonly Call[], table: string): Promise<string[]> {
  const people: Record<string, Client> = {
    stranger: app.anonymous,
    user: await app.withScopes(await app.person('user'), ['admin:read', 'admin:write']),
    moderator: await app.person('moderator', { role: 'Moderator' }),
    'without scope': await app.withScopes(await app.person('admin', { role: 'Admin' }), ['read', 'write']),
    reader: await app.withScopes(await app.person('reader', { role: 'Admin' }), ['admin:read']),
  }
  const found: string[] = []
  for (const [verb, path] of calls) {
    for (const [name, client] of Object.entries(people)) {
      if (name === 'reader' && verb === 'get') continue
      let status = 0
      const statements = await app.countQueries(async () => {
        status = (await client[verb](path)).status
      })
      if (status !== (name === 'stranger' ? 401 : 403)) found.push(`${name} ${verb} ${path}: ${status}`)
      if (statements.some((statement) => statement.includes(table))) found.push(`${name} ${path}: ${table}`)
    }
  }
  return found
}
