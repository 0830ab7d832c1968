import { ConfigError } from '#config/config.ts'
import { claimOwnName, findOtherName } from '#domain/server/instance/own-name.ts'
import type { Ctx } from '#ports/ctx.ts'

/** Throws ConfigError when people here have handles of another domain than the configured one. */
export async function assertOwnName(ctx: Ctx, localDomain = ctx.config.localDomain): Promise<void> {
  refuseOther(localDomain, await claimOwnName(ctx, localDomain))
}

/** As `assertOwnName`, for what does not serve the data: it writes down no name. */
export async function assertNoOtherName(ctx: Ctx): Promise<void> {
  const { localDomain } = ctx.config
  refuseOther(localDomain, await findOtherName(ctx, localDomain))
}

function refuseOther(localDomain: string, known: string | null): void {
  if (known === null) return
  throw new ConfigError([
    `LOCAL_DOMAIN is ${JSON.stringify(localDomain)}, but this data is of ${known}, and other servers know its people by that name; set LOCAL_DOMAIN=${known}, or see docs/operators/domains.md for moving people to another name`,
  ])
}
