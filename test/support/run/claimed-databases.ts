// Databases in a cluster that may be somebody else's, where whoever made them can be killed before they are dropped.
import { randomBytes } from 'node:crypto'
import pg from 'pg'

export interface Claim {
  /** How the names of all databases of the claim begin. */
  readonly name: string
  /** Drops what is left of them. */
  release(): Promise<void>
}

/** A claim lives as long as a connection to the cluster that has its name: it ends with its process, however that ends. */
const abandoned = `
  select datname from pg_database d
  where datname ~ '^stonechat_test_[0-9a-f]{8}(_|$)' and pg_has_role(datdba, 'usage')
    and not exists (select from pg_stat_activity a
                    where a.datname = d.datname or a.application_name = substring(d.datname for 23))`

/** Returns a name that nobody else has in this cluster, for databases; those of claims that have ended are dropped. */
export async function claimDatabases(clusterUrl: string): Promise<Claim> {
  const name = `stonechat_test_${randomBytes(4).toString('hex')}`
  const client = new pg.Client({ connectionString: clusterUrl, application_name: name })
  // A cluster that is the run's own may end before it.
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(abandoned)
  // Somebody else may be at it.
  for (const { datname } of rows) await client.query(`drop database if exists ${datname}`).catch(() => {})
  return {
    name,
    async release() {
      const left = await client.query<{ datname: string }>(
        `select datname from pg_database where starts_with(datname, $1)`,
        [name],
      )
      for (const { datname } of left.rows) await client.query(`drop database ${datname} with (force)`)
      await client.end()
    },
  }
}
