// Outside services: database, object store, mail, translation.

import type { EnvReader } from '#config/env.ts'
import { isNamedMailbox } from '#lib/net/mailbox.ts'
import { checkHttpUrl } from '#lib/net/outgoing-url.ts'

export interface S3Config {
  bucket: string
  /** Base URL of the service, without a trailing slash. */
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Bucket in the path instead of in the host name. */
  pathStyle: boolean
  /** Canned ACL of new objects; null sends none, for stores that know no ACLs. */
  acl: string | null
  /** Put before every key: '' or ends with a slash. */
  keyPrefix: string
  /** Public base URL without a trailing slash under which people get the files; null: this server passes them on. */
  aliasUrl: string | null
}

export interface SmtpConfig {
  host: string
  port: number
  /** TLS from the first byte. */
  implicitTls: boolean
  starttls: 'auto' | 'always' | 'never'
  verifyCertificate: boolean
  /** PEM file with further authorities. */
  caFile: string | null
  /** null: no authentication. */
  auth: { method: 'plain' | 'login' | 'cram_md5'; login: string; password: string } | null
  /** What we call ourselves in EHLO. */
  domain: string
  /** `name@host` or `Name <name@host>`. */
  from: string
  replyTo: string | null
  returnPath: string | null
}

export interface TranslationConfig {
  service: 'deepl' | 'libretranslate'
  /** Base URL of the service, without a trailing slash. */
  endpoint: string
  /** null: the service wants none. */
  apiKey: string | null
}

/** Reads DATABASE_URL; null means the embedded PostgreSQL. */
export function readDatabaseUrl(reader: EnvReader): string | null {
  const url = reader.url('DATABASE_URL', ['postgres', 'postgresql'])
  return url && reader.text('DATABASE_URL')
}

/** Reads DATABASE_DIRECT_URL; null means that DATABASE_URL leads to the database itself. */
export function readDatabaseDirectUrl(reader: EnvReader): string | null {
  const url = reader.url('DATABASE_DIRECT_URL', ['postgres', 'postgresql'])
  if (url)
    reader.required('DATABASE_URL', 'DATABASE_DIRECT_URL is the way around a pooler to the same database')
  return url && reader.text('DATABASE_DIRECT_URL')
}

/** Reads the S3 group; null while S3_ENABLED is not true. */
export function readS3(reader: EnvReader): S3Config | null {
  if (!reader.boolean('S3_ENABLED', false)) return null
  const region = reader.text('S3_REGION') ?? 'us-east-1'
  const endpoint = reader.url('S3_ENDPOINT', ['https', 'http'])
  const acl = reader.text('S3_PERMISSION') ?? 'public-read'
  const prefix = (reader.text('S3_KEY_PREFIX') ?? '').replace(/^\/+|\/+$/g, '')
  const needed = 'S3_ENABLED=true needs it'
  return {
    bucket: reader.required('S3_BUCKET', needed),
    endpoint: endpoint ? withoutSlash(endpoint) : `https://s3.${region}.amazonaws.com`,
    region,
    accessKeyId: reader.required('AWS_ACCESS_KEY_ID', needed),
    secretAccessKey: reader.required('AWS_SECRET_ACCESS_KEY', needed),
    pathStyle: endpoint !== null && !reader.boolean('S3_OVERRIDE_PATH_STYLE', false),
    acl: acl === 'none' ? null : acl,
    keyPrefix: prefix && `${prefix}/`,
    aliasUrl: readAlias(reader),
  }
}

function readAlias(reader: EnvReader): string | null {
  const protocol = reader.choice('S3_PROTOCOL', ['https', 'http'], 'https')
  const alias = reader.text('S3_ALIAS_HOST')
  if (alias === null) return null
  const url = URL.parse(/^https?:\/\//i.test(alias) ? alias : `${protocol}://${alias}`)
  const isPlain = url && checkHttpUrl(url).url && !url.search && !url.hash
  if (!isPlain)
    reader.refuse('S3_ALIAS_HOST', 'a host name, with an optional path, such as files.example.org')
  return isPlain ? withoutSlash(url) : null
}

function withoutSlash(url: URL): string {
  return url.href.replace(/\/+$/, '')
}

/** Reads the SMTP group; null while SMTP_SERVER is unset. `localDomain` may have a port. */
export function readSmtp(reader: EnvReader, localDomain: string): SmtpConfig | null {
  const host = reader.text('SMTP_SERVER')
  const domain = localDomain.replace(/:\d+$/, '')
  const smtp = {
    ...readSmtpTransport(reader),
    auth: readSmtpAuth(reader),
    domain: reader.text('SMTP_DOMAIN') ?? domain,
    from: readMailbox(reader, 'SMTP_FROM_ADDRESS') ?? `notifications@${domain}`,
    replyTo: readMailbox(reader, 'SMTP_REPLY_TO'),
    returnPath: readMailbox(reader, 'SMTP_RETURN_PATH'),
  }
  return host === null ? null : { host, ...smtp }
}

function readSmtpTransport(reader: EnvReader) {
  const tls = reader.boolean('SMTP_TLS', false)
  const implicitTls = reader.boolean('SMTP_SSL', false) || tls
  const startAutomatically = reader.boolean('SMTP_ENABLE_STARTTLS_AUTO', true)
  const fallback = startAutomatically ? 'auto' : 'never'
  const verifyModes = ['peer', 'none', 'client_once', 'fail_if_no_peer_cert'] as const
  return {
    port: reader.integer('SMTP_PORT', { min: 1, max: 65_535, fallback: implicitTls ? 465 : 587 }),
    implicitTls,
    starttls: reader.choice('SMTP_ENABLE_STARTTLS', ['auto', 'always', 'never'], fallback),
    verifyCertificate: reader.choice('SMTP_OPENSSL_VERIFY_MODE', verifyModes, 'peer') !== 'none',
    caFile: reader.text('SMTP_CA_FILE'),
  }
}

function readSmtpAuth(reader: EnvReader): SmtpConfig['auth'] {
  const method = reader.choice('SMTP_AUTH_METHOD', ['plain', 'login', 'cram_md5', 'none'], 'plain')
  const login = reader.text('SMTP_LOGIN')
  if (method === 'none' || login === null) return null
  return { method, login, password: reader.required('SMTP_PASSWORD', 'SMTP_LOGIN needs it') }
}

function readMailbox(reader: EnvReader, name: 'SMTP_FROM_ADDRESS' | 'SMTP_REPLY_TO' | 'SMTP_RETURN_PATH') {
  const text = reader.text(name)
  if (text === null) return null
  if (isNamedMailbox(text)) return text
  reader.refuse(name, 'an address such as name@example.org or "Name <name@example.org>"')
  return null
}

const deeplEndpoints = { free: 'https://api-free.deepl.com', pro: 'https://api.deepl.com' }

/** Reads the group of DeepL, then that of LibreTranslate; null while neither is set. */
export function readTranslation(reader: EnvReader): TranslationConfig | null {
  const plan = reader.choice('DEEPL_PLAN', ['free', 'pro'], 'free')
  const apiKey = reader.text('DEEPL_API_KEY')
  const libre = reader.url('LIBRE_TRANSLATE_ENDPOINT', ['https', 'http'])
  if (apiKey !== null) return { service: 'deepl', endpoint: deeplEndpoints[plan], apiKey }
  if (libre === null) return null
  return {
    service: 'libretranslate',
    endpoint: withoutSlash(libre),
    apiKey: reader.text('LIBRE_TRANSLATE_API_KEY'),
  }
}
