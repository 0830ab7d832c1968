// Whether what listens or locks has connections of the database to itself.
import type { Config } from '#config/config.ts'
import { openDatabase } from '#adapters/postgres/database.ts'
import { isRefusedByPooler, sharesConnections, wayAroundPooler } from '#db/describe-pooler.ts'
import type { Log } from '#ports/log.ts'
import { ok, problem, type Result } from './finding.ts'

/** Looks at an outside database, by the address that leads around a pooler where there is one. */
export async function checkPooler(config: Config, log: Log): Promise<Result> {
  const { databaseUrl, databaseDirectUrl } = config
  const url = databaseDirectUrl ?? databaseUrl
  if (url === null) return ok('none: the database is embedded')
  const name = databaseDirectUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
  const advice = databaseDirectUrl === null ? wayAroundPooler : 'let it lead to the database itself'
  const found = `${name} leads to a pooler, behind which nothing can listen or lock`
  // A pooler takes no settings and may know no prepared statements: so it is asked without.
  const database = openDatabase({ url, max: 2, isPooled: true, prepares: false, log })
  try {
    if (await sharesConnections(database.pool)) return problem(found, advice)
  } finally {
    await database.close()
  }
  if (await refusesSettings(url, log)) return problem(found, advice)
  return ok(databaseDirectUrl === null ? 'none' : 'DATABASE_DIRECT_URL leads around it')
}

/** As one does in session mode too. */
async function refusesSettings(url: string, log: Log): Promise<boolean> {
  const database = openDatabase({ url, max: 1, log })
  try {
    ;(await database.pool.connect()).release()
    return false
  } catch (error) {
    if (isRefusedByPooler(error as Error)) return true
    throw error
  } finally {
    await database.close()
  }
}
