// Variables that were set and do nothing: misspelt, another program's, or for what is switched off.
import type { Config } from '#config/config.ts'
import { variableNames } from '#config/env.ts'
import { editDistance } from '#lib/text/edit-distance.ts'
import { foreignVariables } from './foreign-variables.ts'
import { ok, warning, type Finding } from './finding.ts'

const known: ReadonlySet<string> = new Set(variableNames)
/** Read by the units of the packages, and by what a provider's number is put into. */
const others = /^(?:BACKUPS_TO_KEEP|OIDC_[2-9]_\w+)$/
/** Beginnings that hardly any other program's variables have. */
const ours =
  /^(?:S3|SMTP|OIDC|LDAP|REDIS_SENTINEL|REDIS_CLUSTER|METRICS|ALTCHA|HCAPTCHA|LIBRE_TRANSLATE|DEEPL|VAPID|POSTGRES_SETTING|STREAMING_API|OAUTH_PASSWORD)_?/

type On = (config: Config) => boolean

/** Variables that count for nothing unless something is on, and what turns it on. */
const groups: readonly (readonly [RegExp, On, string])[] = [
  [/^(?:S3_(?!ENABLED)|AWS_ACCESS_KEY_ID|AWS_SECRET)/, ({ s3 }) => s3 !== null, 'set S3_ENABLED=true'],
  [/^S3_PROTOCOL$/, ({ s3 }) => s3?.aliasUrl != null, 'set S3_ALIAS_HOST'],
  [/^SMTP_(?!SERVER)/, ({ smtp }) => smtp !== null, 'set SMTP_SERVER'],
  [/^SMTP_PASSWORD$/, ({ smtp }) => smtp?.auth != null, 'set SMTP_LOGIN'],
  [/^OIDC_(?!ENABLED|\d)/, hasProvider('openid_connect'), 'set OIDC_ENABLED=true'],
  [/^LDAP_(?!ENABLED)/, ({ signIn }) => signIn.ldap !== null, 'set LDAP_ENABLED=true'],
  [/^METRICS_/, ({ metrics }) => metrics !== null, 'set PROMETHEUS_ENABLED=true'],
  [/^ALTCHA_MAX/, ({ robotCheck }) => robotCheck?.kind === 'altcha', 'set ALTCHA_ENABLED=true'],
  [/^DEEPL_PLAN$/, ({ translation }) => translation?.service === 'deepl', 'set DEEPL_API_KEY'],
  [
    /^LIBRE_/,
    ({ translation }) => translation?.service === 'libretranslate',
    'set LIBRE_TRANSLATE_ENDPOINT, and no DEEPL_API_KEY, which comes first',
  ],
  [/^OTEL_/, ({ tracing }) => tracing !== null, 'set OTEL_EXPORTER_OTLP_ENDPOINT'],
  [/^REDIS_SENTINEL_/, ({ redis }) => redis?.kind === 'sentinel', 'set REDIS_SENTINELS'],
  [
    /^REDIS_(?:USER|PASSWORD)$/,
    ({ redis }) => redis !== null && redis.kind !== 'single',
    'write it into REDIS_URL, as in redis://user:password@host:6379',
  ],
  [
    /^REDIS_DB$/,
    ({ redis }) => redis?.kind === 'sentinel',
    'write it into REDIS_URL, as in redis://host:6379/1',
  ],
  [
    /^POSTGRES_SETTINGS$/,
    ({ databaseUrl }) => databaseUrl === null,
    'change the settings of the PostgreSQL that DATABASE_URL leads to',
  ],
]

function hasProvider(name: string): On {
  return ({ signIn }) => signIn.providers.some((provider) => provider.name === name)
}

/** One finding for each variable that does nothing; one that all is well where there is none. */
export function checkVariables(env: NodeJS.ProcessEnv, config: Config): Finding[] {
  const set = Object.keys(env).filter((name) => env[name]?.trim())
  const found = set.toSorted().flatMap((name) => {
    const advice = known.has(name) ? adviseUnused(name, config) : adviseUnknown(name)
    return advice === null ? [] : [warning(`${name} is set, and nothing reads it`, advice)]
  })
  return (found.length > 0 ? found : [ok('each that is set is read')]).map((result) => ({
    part: 'variables',
    ...result,
  }))
}

function adviseUnused(name: string, config: Config): string | null {
  const group = groups.find(([names, isOn]) => names.test(name) && !isOn(config))
  return group === undefined ? null : `${group[2]}, or take it out`
}

function adviseUnknown(name: string): string | null {
  if (others.test(name)) return null
  const foreign = foreignVariables.find(([names]) => names.test(name))
  if (foreign) return foreign[1]
  const near = findNear(name.toUpperCase())
  if (near !== null) return `if ${near} is meant, spell it so`
  return ours.test(name) ? 'take it out: docs/operators/configuration.md has all names' : null
}

/** The name of ours that was probably meant. Short ones are near to too many words. */
function findNear(name: string): string | null {
  const most = name.length < 8 ? 1 : 2
  const near = variableNames
    .filter((one) => Math.min(one.length, name.length) > 4)
    .map((one) => ({ one, distance: editDistance(name, one) }))
    .filter(({ distance }) => distance <= most)
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.one ?? null
}
