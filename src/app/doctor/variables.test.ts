import { expect, test } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { checkVariables } from './variables.ts'

const advice = (env: Record<string, string>) =>
  Object.fromEntries(
    checkVariables({ HOME: '/root', PATH: '/bin', ...env }, loadConfig(env)).flatMap((found) =>
      found.advice === null ? [] : [[found.text.split(' ')[0], found.advice]],
    ),
  )

test('variables that are read, and those of other programs, are in order', () => {
  const env = {
    PORT: '3000',
    NODE_ENV: 'production',
    BACKUPS_TO_KEEP: '3',
    OIDC_2_ISSUER: '',
    SMTP_SERVER: 'mail.example',
    SMTP_LOGIN: 'chat',
    SMTP_PASSWORD: 'secret',
    METRICS_TOKEN: 'a-long-random-text',
    PROMETHEUS_ENABLED: 'true',
    POSTGRES_SETTINGS: 'work_mem=16MB',
    PGHOST: 'localhost',
    HOSTNAME: 'chat',
    TERM: 'xterm',
    PORTS: '80',
    LS_COLORS: 'x',
  }
  expect(advice(env)).toEqual({})
})

test.each<[string, string, RegExp]>([
  ['LOCAL_DOMIAN', 'chat.example', /LOCAL_DOMAIN is meant/],
  ['local_domain', 'chat.example', /LOCAL_DOMAIN is meant/],
  ['DATABSE_URL', 'postgres://chat@db/chat', /DATABASE_URL is meant/],
  ['SMTP_PASS', 'secret', /take it out/],
  ['S3_BUKET', 'media', /S3_BUCKET is meant/],
  ['S3_BUCKET', 'media', /^set S3_ENABLED=true, or/],
  ['SMTP_LOGIN', 'chat', /^set SMTP_SERVER, or/],
  ['OIDC_ISSUER', 'https://id.example', /^set OIDC_ENABLED=true, or/],
  ['LDAP_BASE', 'dc=example', /^set LDAP_ENABLED=true, or/],
  ['METRICS_PORT', '9000', /^set PROMETHEUS_ENABLED=true, or/],
  ['ALTCHA_MAX_NUMBER', '5000', /^set ALTCHA_ENABLED=true, or/],
  ['OTEL_SERVICE_NAME', 'chat', /^set OTEL_EXPORTER_OTLP_ENDPOINT, or/],
  ['REDIS_PASSWORD', 'secret', /write it into REDIS_URL/],
  ['DB_HOST', 'db', /^set DATABASE_URL=postgres:/],
  ['DB_PASS', 'secret', /^set DATABASE_URL=postgres:/],
  ['REDIS_HOST', 'redis', /^set REDIS_URL=redis:/],
  ['ES_ENABLED', 'true', /PostgreSQL searches/],
  ['OTP_SECRET', 'secret', /from SECRET_KEY_BASE/],
  ['WEB_CONCURRENCY', '2', /supervise --web N/],
  ['S3_HOSTNAME', 'files.example', /^set S3_ALIAS_HOST/],
  ['SAML_ENABLED', 'true', /OIDC_/],
  ['GTS_HOST', 'chat.example', /^set WEB_DOMAIN/],
])('%s that nothing reads is told in one line with what to do', (name, value, expected) => {
  const env = name === 'SMTP_LOGIN' ? { SMTP_LOGIN: value, SMTP_PASSWORD: 'secret' } : { [name]: value }
  expect(advice(env)[name]).toMatch(expected)
  expect(checkVariables(env, loadConfig(env)).every(({ text }) => !text.includes('\n'))).toBe(true)
})

test('settings of the embedded database count for nothing beside an outside one, and no value is told', () => {
  const env = {
    POSTGRES_SETTINGS: 'work_mem=16MB',
    DATABASE_URL: 'postgres://chat:secret@db/chat',
    DB_PASS: 'secret',
  }
  expect(Object.keys(advice(env))).toEqual(['DB_PASS', 'POSTGRES_SETTINGS'])
  expect(JSON.stringify(checkVariables(env, loadConfig(env)))).not.toContain('secret"')
})
