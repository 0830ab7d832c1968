import { expect, test } from 'vitest'
import { runProcess } from '#test/processes/processes.ts'

const program = `
  import { createLog } from '#app/log/log.ts'
  const log = createLog({ logLevel: 'info' })
  const names = ['password', 'token', 'access_token', 'client_secret', 'code', 'authorization', 'cookie']
  const secrets = Object.fromEntries(names.map((name) => [name, 'hidden']))
  const facts = { path: '/', status: 200, none: null, missing: undefined, list: ['token'], within: { ...secrets, host: 'a.example' } }
  log.info({ ...secrets, ...facts }, 'request')
  log.warn({ err: Object.assign(new Error('refused'), { ...secrets, code: 'ECONNREFUSED' }) }, 'lost')
  log.info(facts.within, 'of what is logged nothing is changed')
  log.info({ host: facts.within.host, token: undefined }, 'and nothing of it is missing')
`

test('what has the name of a secret is cut out of the log, at the top, within and of errors', async () => {
  const { stdout, stderr } = await runProcess([process.execPath, '--input-type=module', '--eval', program])
  expect(stderr).toBe('')
  expect(stdout).not.toContain('hidden')
  const [request, lost, , last] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const cut = {
    password: '[cut]',
    token: '[cut]',
    access_token: '[cut]',
    client_secret: '[cut]',
    code: '[cut]',
    authorization: '[cut]',
    cookie: '[cut]',
  }
  const shown = { level: 'info', path: '/', status: 200, none: null, list: ['token'], msg: 'request' }
  expect(request).toMatchObject({ ...cut, ...shown, within: { ...cut, host: 'a.example' } })
  expect(lost).toMatchObject({ level: 'warn', err: { ...cut, code: 'ECONNREFUSED', message: 'refused' } })
  expect(last).toMatchObject({ host: 'a.example' })
  expect(last).not.toHaveProperty('token')
})
