// The names of the environment variables, and readers that collect every problem instead of stopping at the first.

import { checkHttpUrl } from '#lib/net/outgoing-url.ts'
import { parseSwitch } from '#lib/text/truthy.ts'

export type Env = Record<string, string | undefined>

/** Every variable that the server reads; docs/operators/configuration.md describes each (a test compares). */
export const variableNames = [
  'PORT',
  'BIND',
  'DATA_DIR',
  'LOCAL_DOMAIN',
  'WEB_DOMAIN',
  'ALTERNATE_DOMAINS',
  'LOCAL_HTTPS',
  'STREAMING_API_BASE_URL',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'REPLICA_DATABASE_URL',
  'REPLICA_DB_HOST',
  'REPLICA_DB_PORT',
  'REPLICA_DB_NAME',
  'REPLICA_DB_USER',
  'REPLICA_DB_PASS',
  'DB_POOL',
  'PREPARED_STATEMENTS',
  'POSTGRES_SETTINGS',
  'REDIS_URL',
  'REDIS_SENTINELS',
  'REDIS_SENTINEL_MASTER',
  'REDIS_SENTINEL_PORT',
  'REDIS_SENTINEL_USERNAME',
  'REDIS_SENTINEL_PASSWORD',
  'REDIS_CLUSTER_NODES',
  'REDIS_USER',
  'REDIS_PASSWORD',
  'REDIS_DB',
  'REDIS_TLS',
  'REDIS_TLS_CA_FILE',
  'S3_ENABLED',
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_REGION',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'S3_ALIAS_HOST',
  'S3_PROTOCOL',
  'S3_PERMISSION',
  'S3_KEY_PREFIX',
  'S3_OVERRIDE_PATH_STYLE',
  'SMTP_SERVER',
  'SMTP_PORT',
  'SMTP_LOGIN',
  'SMTP_PASSWORD',
  'SMTP_FROM_ADDRESS',
  'SMTP_REPLY_TO',
  'SMTP_RETURN_PATH',
  'SMTP_DOMAIN',
  'SMTP_AUTH_METHOD',
  'SMTP_TLS',
  'SMTP_SSL',
  'SMTP_ENABLE_STARTTLS',
  'SMTP_ENABLE_STARTTLS_AUTO',
  'SMTP_OPENSSL_VERIFY_MODE',
  'SMTP_CA_FILE',
  'DEEPL_API_KEY',
  'DEEPL_PLAN',
  'LIBRE_TRANSLATE_ENDPOINT',
  'LIBRE_TRANSLATE_API_KEY',
  'VAPID_PRIVATE_KEY',
  'VAPID_PUBLIC_KEY',
  'SECRET_KEY_BASE',
  'ALTCHA_ENABLED',
  'ALTCHA_MAX_NUMBER',
  'HCAPTCHA_SITE_KEY',
  'HCAPTCHA_SECRET_KEY',
  'OMNIAUTH_ONLY',
  'ALLOW_UNSAFE_AUTH_PROVIDER_REATTACH',
  'OIDC_ENABLED',
  'OIDC_DISPLAY_NAME',
  'OIDC_ISSUER',
  'OIDC_DISCOVERY',
  'OIDC_SCOPE',
  'OIDC_UID_FIELD',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_CLIENT_AUTH_METHOD',
  'OIDC_REDIRECT_URI',
  'OIDC_PROMPT',
  'OIDC_SEND_NONCE',
  'OIDC_AUTH_ENDPOINT',
  'OIDC_TOKEN_ENDPOINT',
  'OIDC_USER_INFO_ENDPOINT',
  'OIDC_JWKS_URI',
  'OIDC_END_SESSION_ENDPOINT',
  'OIDC_IDP_LOGOUT_REDIRECT_URI',
  'OIDC_SECURITY_ASSUME_EMAIL_IS_VERIFIED',
  'LDAP_ENABLED',
  'LDAP_HOST',
  'LDAP_PORT',
  'LDAP_METHOD',
  'LDAP_BASE',
  'LDAP_BIND_DN',
  'LDAP_PASSWORD',
  'LDAP_UID',
  'LDAP_MAIL',
  'LDAP_SEARCH_FILTER',
  'LDAP_TLS_NO_VERIFY',
  'LDAP_TLS_CA_FILE',
  'LDAP_UID_CONVERSION_ENABLED',
  'LDAP_UID_CONVERSION_SEARCH',
  'LDAP_UID_CONVERSION_REPLACE',
  'ALLOWED_PRIVATE_ADDRESSES',
  'TRUSTED_PROXY_IP',
  'OUTGOING_PROXY',
  'AUTHORIZED_FETCH',
  'LIMITED_FEDERATION_MODE',
  'DISALLOW_UNAUTHENTICATED_API_ACCESS',
  'SINGLE_USER_MODE',
  'TIMELINE_PREVIEW',
  'COMPAT_BLOCKED_BY',
  'OAUTH_PASSWORD_GRANT',
  'RATE_LIMITS',
  'COMPRESSION',
  'MAX_STATUS_CHARS',
  'MAX_POLL_OPTIONS',
  'MAX_POLL_OPTION_CHARS',
  'MAX_MEDIA_ATTACHMENTS',
  'MAX_IMAGE_BYTES',
  'MAX_VIDEO_BYTES',
  'MAX_DISPLAY_NAME_CHARS',
  'MAX_PROFILE_FIELDS',
  'LOG_LEVEL',
  'PROMETHEUS_ENABLED',
  'METRICS_BIND',
  'METRICS_PORT',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_COMPRESSION',
  'OTEL_EXPORTER_OTLP_TIMEOUT',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_TRACES_EXPORTER',
  'OTEL_SDK_DISABLED',
  'OTEL_BSP_MAX_QUEUE_SIZE',
  'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
  'OTEL_BSP_SCHEDULE_DELAY',
] as const

export type VariableName = (typeof variableNames)[number]

/** Their values never appear in a message. URLs are here because they carry passwords. */
const secretNames: ReadonlySet<VariableName> = new Set<VariableName>([
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'REPLICA_DATABASE_URL',
  'REPLICA_DB_PASS',
  'REDIS_URL',
  'REDIS_SENTINEL_PASSWORD',
  'REDIS_PASSWORD',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'SMTP_LOGIN',
  'SMTP_PASSWORD',
  'DEEPL_API_KEY',
  'LIBRE_TRANSLATE_API_KEY',
  'VAPID_PRIVATE_KEY',
  'SECRET_KEY_BASE',
  'OIDC_CLIENT_SECRET',
  'LDAP_PASSWORD',
  'HCAPTCHA_SECRET_KEY',
  'METRICS_TOKEN',
  'OUTGOING_PROXY',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
])

/** Reads variables; a bad value is noted and answered with the fallback, so that reading goes on. */
export interface EnvReader {
  /** One line per problem so far. */
  readonly problems: string[]
  /** Notes that the variable's value is not allowed; `allowed` completes the sentence "allowed is …". */
  refuse(name: VariableName, allowed: string): void
  /** The trimmed value; null when unset or blank. */
  text(name: VariableName): string | null
  /** As `text`, but noted as a problem when unset, with the reason why it is needed. */
  required(name: VariableName, reason: string): string
  integer(name: VariableName, range: { min: number; max: number; fallback: number }): number
  boolean(name: VariableName, fallback: boolean): boolean
  choice<T extends string>(name: VariableName, choices: readonly T[], fallback: T): T
  /** The URL without trailing slashes, of one of the schemes; null when unset or bad. */
  url(name: VariableName, schemes: readonly string[]): URL | null
  /** Entries separated by commas or white space; null when unset. An entry that parses to null is a problem. */
  list<T>(name: VariableName, parse: (entry: string) => T | null, allowed: string): T[] | null
  /** A reader of the same variables with a number in their names, as `OIDC_2_ISSUER` for `OIDC_ISSUER`. */
  numbered(group: 'OIDC', number: number): EnvReader
}

/** Makes a reader of `env`. Unknown variables are not looked at. */
export function readEnv(env: Env): EnvReader {
  return readNamed(env, [], (name) => name)
}

/** `spell`: how a variable is called in the environment. */
function readNamed(env: Env, problems: string[], spell: (name: VariableName) => string): EnvReader {
  const text = (name: VariableName) => env[spell(name)]?.trim() || null
  const refuse = (name: VariableName, allowed: string) => {
    const given = text(name) ?? ''
    const isSecret = secretNames.has(name) || /:\/\/[^/]*@/.test(given)
    const value = isSecret ? '(value not shown)' : printable(given)
    problems.push(`${spell(name)} is ${value}; allowed is ${allowed}`)
  }
  /** Parses a value that is set; `undefined` from `parse` means that it is bad. */
  const read = <T>(name: VariableName, parse: (value: string) => T | undefined, allowed: string) => {
    const value = text(name)
    const parsed = value === null ? undefined : parse(value)
    if (value !== null && parsed === undefined) refuse(name, allowed)
    return parsed
  }
  return {
    problems,
    refuse,
    text,
    required(name, reason) {
      const value = text(name)
      if (value === null) problems.push(`${spell(name)} is not set; ${reason}`)
      return value ?? ''
    },
    integer(name, { min, max, fallback }) {
      const parse = (value: string) => parseInteger(value, min, max)
      return read(name, parse, `a whole number from ${min} to ${max}`) ?? fallback
    },
    boolean(name, fallback) {
      return read(name, parseSwitch, 'true or false (also on, off, yes, no, 1, 0)') ?? fallback
    },
    choice(name, choices, fallback) {
      const parse = (value: string) => choices.find((choice) => choice === value.toLowerCase())
      return read(name, parse, `one of ${choices.join(', ')}`) ?? fallback
    },
    url(name, schemes) {
      const starts = schemes.map((scheme) => `${scheme}://`).join(' or ')
      const withoutUser = schemes.includes('https') ? ', without a user or password in it' : ''
      const allowed = `a URL that starts with ${starts}${withoutUser}`
      return read(name, (value) => parseUrl(value, schemes), allowed) ?? null
    },
    list(name, parse, allowed) {
      const parseAll = (value: string) => {
        const entries = value.split(/[\s,]+/).filter(Boolean)
        const parsed = entries.map(parse).filter((entry) => entry !== null)
        return parsed.length === entries.length ? parsed : undefined
      }
      return read(name, parseAll, allowed) ?? null
    },
    numbered: (group, number) =>
      readNamed(env, problems, (name) => name.replace(`${group}_`, `${group}_${number}_`)),
  }
}

function parseInteger(value: string, min: number, max: number): number | undefined {
  if (!/^-?\d{1,15}$/.test(value)) return undefined
  const number = Number(value)
  return number >= min && number <= max ? number : undefined
}

function parseUrl(value: string, schemes: readonly string[]): URL | undefined {
  const url = URL.parse(value)
  if (!url || !schemes.includes(url.protocol.slice(0, -1))) return undefined
  // What nothing could be asked from later.
  if (/^https?:$/.test(url.protocol) && !checkHttpUrl(url).url) return undefined
  return /^[a-z]+:\/\/./i.test(value) ? url : undefined
}

/** Quoted on one line, and cut when long: it goes to a terminal. */
function printable(value: string): string {
  const short = value.length > 200 ? `${value.slice(0, 200)}…` : value
  return JSON.stringify(short)
}
