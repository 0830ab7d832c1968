// Debian's slapd with a directory of its own: over TLS, and without.
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'ldapts'
import { freePort } from '#test/processes/free-port.ts'
import { startProcess } from '#test/processes/processes.ts'
import { until } from '#test/run/patience.ts'

const slapd = '/usr/sbin/slapd'
const tls = (file: string) => fileURLToPath(new URL(`tls/${file}`, import.meta.url))

/** Why tests that need a directory cannot run here; null when they can. Continuous integration must have it. */
export const ldapMissing =
  existsSync(slapd) || process.env['CI'] === 'true' ? null : 'OpenLDAP (slapd) is not installed'

export const base = 'dc=example,dc=org'
const admin = { dn: `cn=admin,${base}`, password: 'of-the-directory' }

export interface LdapServer {
  /** Variables of a server that asks it, by one of the methods. */
  env(method: 'plain' | 'start_tls' | 'simple_tls'): Record<string, string>
  /** Adds a person. */
  add(uid: string, more: { mail?: string; password: string; cn?: string }): Promise<void>
  /** Stops it and removes its folder. */
  remove(): Promise<void>
}

/** Starts an empty directory. */
export async function startLdap(): Promise<LdapServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-ldap-'))
  const [plain, secure] = [await freePort(), await freePort()]
  await mkdir(path.join(folder, 'db'))
  const settings = path.join(folder, 'slapd.conf')
  await writeFile(settings, configuration(folder))
  await chmod(folder, 0o700)
  const urls = `ldap://127.0.0.1:${plain}/ ldaps://127.0.0.1:${secure}/`
  const child = startProcess(slapd, ['-d', '0', '-f', settings, '-h', urls], { stdio: 'ignore' })
  const remove = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }
  const asAdmin = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ url: `ldap://127.0.0.1:${plain}` })
    try {
      await client.bind(admin.dn, admin.password)
      return await work(client)
    } finally {
      await client.unbind().catch(() => {})
    }
  }
  const root = { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' }
  const begin = () =>
    asAdmin((client) => client.add(base, root)).then(
      () => true,
      () => false,
    )
  await until(begin, () => 'slapd answers')
  return {
    env: (method) => ({
      LDAP_ENABLED: 'true',
      LDAP_HOST: '127.0.0.1',
      LDAP_PORT: String(method === 'simple_tls' ? secure : plain),
      LDAP_METHOD: method,
      LDAP_BASE: base,
      LDAP_BIND_DN: admin.dn,
      LDAP_PASSWORD: admin.password,
      LDAP_UID: 'uid',
      LDAP_UID_CONVERSION_ENABLED: 'true',
    }),
    async add(uid, { mail, password, cn = uid }) {
      const entry = { cn, sn: cn, uid, userPassword: password, ...(mail && { mail }) }
      await asAdmin((client) => client.add(`uid=${uid},${base}`, { objectClass: 'inetOrgPerson', ...entry }))
    },
    remove,
  }
}

const configuration = (folder: string) => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
pidfile ${folder}/pid
modulepath /usr/lib/ldap
moduleload back_mdb
TLSCertificateFile ${tls('loopback-certificate.pem')}
TLSCertificateKeyFile ${tls('loopback-key.pem')}
database mdb
suffix "${base}"
rootdn "${admin.dn}"
rootpw ${admin.password}
directory ${folder}/db
access to attrs=userPassword by anonymous auth by * none
access to * by * read
`
