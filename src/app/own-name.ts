import { ConfigError } from '#config/config.ts'
import { claimOwnName } from '#domain/server/instance/own-name.ts'
import type { Ctx } from '#ports/ctx.ts'

/** Throws ConfigError when people here have handles of another domain than the configured one. */
export async function assertOwnName(ctx: Ctx, localDomain = ctx.config.localDomain): Promise<void> {
  const known = await claimOwnName(ctx, localDomain)
  if (known === null) return
  throw new ConfigError([
    `LOCAL_DOMAIN is ${JSON.stringify(localDomain)}, but this data is of ${known}, and other servers know its people by that name; set LOCAL_DOMAIN=${known}, or see docs/operators/domains.md for moving people to another name`,
  ])
}
