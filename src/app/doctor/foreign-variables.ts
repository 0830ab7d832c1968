// Variables of Mastodon and GoToSocial that mean nothing here, and what to do instead. Those with the same name and
// meaning are in config/env.ts; docs/operators/configuration.md describes them.

/** What a variable whose name is matched by the first is to be replaced by; the first that matches counts. */
export const foreignVariables: readonly (readonly [RegExp, string])[] = [
  [/^DB_(?:HOST|PORT|USER|NAME|PASS|SSLMODE)$/, 'set DATABASE_URL=postgres://user:password@host:5432/name'],
  [/^REPLICA_DB_\w+$/, 'write it into REPLICA_DATABASE_URL'],
  [/^REDIS_(?:HOST|PORT)$/, 'set REDIS_URL=redis://host:6379'],
  [/^(?:CACHE|SIDEKIQ)_REDIS_\w+$/, 'take it out: there is one Redis for everything, in REDIS_URL'],
  [/^REDIS_(?:NAMESPACE|DRIVER)$/, 'take it out: keys begin with LOCAL_DOMAIN'],
  [/^ES_\w+$/, 'take it out: PostgreSQL searches, and nothing has to be set up'],
  [
    /^(?:OTP_SECRET|PAPERCLIP_SECRET|ACTIVE_RECORD_ENCRYPTION_\w+)$/,
    'take it out: all keys are made from SECRET_KEY_BASE',
  ],
  [/^RAILS_LOG_LEVEL$/, 'set LOG_LEVEL'],
  [/^(?:RAILS_\w+|RACK_\w+|RUBY_\w+|MALLOC_CONF|BOOTSNAP_\w+)$/, 'take it out: it is for Ruby'],
  [/^(?:MAX|MIN)_THREADS$/, 'take it out, or set DB_POOL: a process does many things at a time'],
  [
    /^(?:WEB_CONCURRENCY|STREAMING_CLUSTER_NUM|SIDEKIQ_CONCURRENCY)$/,
    'take it out, or run `stonechat supervise --web N --worker N --streaming N`',
  ],
  [/^(?:CDN_HOST|ASSET_HOST)$/, 'take it out: files of the software come from WEB_DOMAIN'],
  [/^PAPERCLIP_ROOT_(?:PATH|URL)$/, 'take it out: files are in DATA_DIR/media'],
  [/^S3_(?:HOSTNAME|CLOUDFRONT_HOST)$/, 'set S3_ALIAS_HOST, where people get files elsewhere'],
  [/^(?:SWIFT|AZURE)_\w+$/, 'set the S3_ variables: a store has to speak S3'],
  [/^SMTP_DELIVERY_METHOD$/, 'take it out: without SMTP_SERVER mails are written to DATA_DIR/outbox'],
  [/^BULK_SMTP_\w+$/, 'take it out: all mails go through SMTP_SERVER'],
  [/^(?:CAS|SAML|PAM)_\w+$/, 'take it out: people sign in by OIDC_, LDAP_ or a password'],
  [/^STATSD_\w+$/, 'set PROMETHEUS_ENABLED=true: there is no StatsD'],
  [/^MASTODON_PROMETHEUS_\w+$/, 'set PROMETHEUS_ENABLED=true, METRICS_BIND and METRICS_PORT'],
  [
    /^(?:https?_proxy|HTTPS?_PROXY|ALLOW_ACCESS_TO_HIDDEN_SERVICE)$/,
    'set OUTGOING_PROXY, if other servers are to be asked through a proxy',
  ],
  [/^(?:EMAIL_DOMAIN_(?:DENY|ALLOW|BLACK|WHITE)LIST)$/, 'use `stonechat email-domain-blocks add DOMAIN`'],
  [/^(?:WHITELIST_MODE)$/, 'set LIMITED_FEDERATION_MODE'],
  [/^(?:SINGLE_USER|USER_ACTIVE_DAYS|DEFAULT_LOCALE|FORCE_DEFAULT_LOCALE)$/, 'take it out'],
  [
    /^(?:IP|SESSION|BACKUPS|MEDIA_CACHE)_RETENTION_PERIOD$/,
    'take it out: `stonechat settings show` lists how long things are kept',
  ],
  [
    /^(?:UPDATE_CHECK_URL|SKIP_POST_DEPLOYMENT_MIGRATIONS|GITHUB_REPOSITORY|SOURCE_(?:BASE_URL|TAG))$/,
    'take it out',
  ],
  [/^HCAPTCHA_SECRET$/, 'set HCAPTCHA_SECRET_KEY'],
  [/^GTS_DB_\w+$/, 'set DATABASE_URL'],
  [/^GTS_STORAGE_\w+$/, 'set the S3_ variables, or DATA_DIR'],
  [/^GTS_SMTP_\w+$/, 'set the SMTP_ variables'],
  [/^GTS_OIDC_\w+$/, 'set the OIDC_ variables'],
  [/^GTS_HOST$/, 'set WEB_DOMAIN'],
  [/^GTS_ACCOUNT_DOMAIN$/, 'set LOCAL_DOMAIN'],
  [/^GTS_\w+$/, 'take it out: it is for GoToSocial, docs/operators/configuration.md has the names here'],
]
