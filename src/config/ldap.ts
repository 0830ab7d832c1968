// The directory in which people are looked up by name and password.

import type { EnvReader } from '#config/env.ts'

export interface LdapConfig {
  host: string
  port: number
  /** `simple_tls`: TLS from the first byte. */
  method: 'simple_tls' | 'start_tls' | 'plain'
  /** Below which people are looked for. */
  base: string
  /** As whom they are looked for. */
  bindDn: string
  bindPassword: string
  /** Attributes with the username and with the e-mail address. */
  uid: string
  mail: string
  /** `%{uid}` and `%{mail}` are the attributes, `%{email}` is what somebody typed. */
  searchFilter: string
  verifyCertificate: boolean
  /** PEM file with further authorities. */
  caFile: string | null
  /** Characters of the attribute that become another in a username; null: they are left as they are. */
  conversion: { search: string; replace: string } | null
}

/** Reads the variables of this group; null while LDAP_ENABLED is not true. */
export function readLdap(reader: EnvReader): LdapConfig | null {
  if (!reader.boolean('LDAP_ENABLED', false)) return null
  const needed = 'LDAP_ENABLED=true needs it'
  const method = reader.choice('LDAP_METHOD', ['simple_tls', 'start_tls', 'plain'], 'simple_tls')
  return {
    host: reader.text('LDAP_HOST') ?? 'localhost',
    port: reader.integer('LDAP_PORT', { min: 1, max: 65_535, fallback: method === 'simple_tls' ? 636 : 389 }),
    method,
    base: reader.required('LDAP_BASE', needed),
    bindDn: reader.required('LDAP_BIND_DN', needed),
    bindPassword: reader.required('LDAP_PASSWORD', needed),
    uid: readAttribute(reader, 'LDAP_UID', 'cn'),
    mail: readAttribute(reader, 'LDAP_MAIL', 'mail'),
    searchFilter: reader.text('LDAP_SEARCH_FILTER') ?? '(|(%{uid}=%{email})(%{mail}=%{email}))',
    verifyCertificate: !reader.boolean('LDAP_TLS_NO_VERIFY', false),
    caFile: reader.text('LDAP_TLS_CA_FILE'),
    conversion: reader.boolean('LDAP_UID_CONVERSION_ENABLED', false)
      ? {
          search: reader.text('LDAP_UID_CONVERSION_SEARCH') ?? '., -',
          replace: reader.text('LDAP_UID_CONVERSION_REPLACE') ?? '_',
        }
      : null,
  }
}

function readAttribute(reader: EnvReader, name: 'LDAP_UID' | 'LDAP_MAIL', fallback: string): string {
  const attribute = reader.text(name) ?? fallback
  if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(attribute)) reader.refuse(name, 'the name of an attribute, such as uid')
  return attribute
}
