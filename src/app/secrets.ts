import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeDataDir, makeFolder } from '#lib/project/make-folder.ts'
import type { Config } from '#config/config.ts'
import type { Db } from '#db/schema/schema.ts'
import { mendVapidKeys, newVapidKeys, type VapidKeys } from '#lib/vapid-keys.ts'
import type { Secrets } from '#ports/ctx.ts'

/** Where the base of derived tokens is kept, unless it comes from the environment. */
export const secretKeyFile = ({ dataDir }: Config) => path.join(dataDir, 'secrets', 'secret-key-base')

/**
 * Keys made once. The VAPID pair lives in the database, since browsers are subscribed under it. The base of all
 * derived tokens does not: who reads the database must not be able to make them.
 */
export async function loadSecrets(db: Db, config: Config): Promise<Secrets> {
  return {
    secretKeyBase: config.secretKeyBase ?? (await readOrMakeFile(config)),
    vapid: config.vapid ?? (await readOrMakeVapid(db)),
  }
}

/** The file of the key, in a folder that is there. Throws an Error of one line when DATA_DIR cannot be made. */
export async function makeSecretKeyPlace(config: Config): Promise<string> {
  const file = secretKeyFile(config)
  await makeDataDir(config.dataDir)
  await makeFolder(path.dirname(file), 0o700)
  return file
}

async function readOrMakeFile(config: Config): Promise<string> {
  const file = await makeSecretKeyPlace(config)
  try {
    await writeFile(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
  return (await readFile(file, 'utf8')).trim()
}

async function readOrMakeVapid(db: Db): Promise<VapidKeys> {
  await db
    .insertInto('secrets')
    .values({ name: 'vapid', value: JSON.stringify(newVapidKeys()) })
    .onConflict((on) => on.doNothing())
    .execute()
  const row = await db
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', 'vapid')
    .executeTakeFirstOrThrow()
  return mendVapidKeys(JSON.parse(row.value) as VapidKeys)
}
