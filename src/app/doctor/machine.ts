// What is found on this machine, and Redis.
import { stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '#config/config.ts'
import { redisPrefix } from '#adapters/redis/connect.ts'
import { createRedisKv } from '#adapters/redis/kv.ts'
import { hasOtherKey } from '#domain/server/instance/own-key.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Log } from '#ports/log.ts'
import { secretKeyFile } from '../secrets.ts'
import { megabytes, ok, problem, warning, whenItFails, type Result } from './finding.ts'

/** Bytes that are free: below these it is time to do something, or too late. */
const little = 1e9
const tooLittle = 1e8

export async function checkDisk({ dataDir }: Config): Promise<Result> {
  const { bavail, bsize, blocks } = await statfs(await nearest(dataDir))
  const free = bavail * bsize
  const line = `${dataDir}, ${megabytes(free)} of ${megabytes(blocks * bsize)} free`
  if (free < tooLittle) return problem(line, 'make room: the database stops when it is full')
  return free < little ? warning(line, 'make room, as by `stonechat media remove`') : ok(line)
}

/** The folder itself, or, before the first start, that in which it will be made. */
async function nearest(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  )
  const parent = path.dirname(folder)
  return isThere || parent === folder ? folder : nearest(parent)
}

/** Writes a key and reads it again. */
export async function checkRedis({ redis, localDomain }: Config, log: Log): Promise<Result> {
  if (redis === null) return ok('not set: one process does everything, and keeps short-lived things itself')
  const kv = await createRedisKv({ redis, prefix: redisPrefix(redis, localDomain), log })
  try {
    await kv.set('doctor', 'there', 10)
    if ((await kv.get('doctor')) !== 'there')
      return problem('what was written did not come back', whenItFails.redis)
    const about = await kv.describe()
    return ok(about ? `Redis ${about.version}, ${megabytes(about.bytes)}` : 'it answers')
  } finally {
    await kv.close()
  }
}

/** Nobody but the user of this program may read what all tokens are derived from. */
export async function checkSecrets(ctx: Ctx): Promise<Result> {
  const { config } = ctx
  if (await hasOtherKey(ctx))
    return problem(
      'SECRET_KEY_BASE is not that of the server, which is in its environment or in DATA_DIR/secrets',
      "give this command the server's environment, or all processes the same key",
    )
  if (config.secretKeyBase !== null) return ok('SECRET_KEY_BASE is set')
  const file = secretKeyFile(config)
  const mode = (await stat(file)).mode & 0o777
  const line = `${file} has mode ${mode.toString(8).padStart(4, '0')}`
  return (mode & 0o077) === 0 ? ok(line) : problem(`${line}: others can read it`, `chmod 600 ${file}`)
}
