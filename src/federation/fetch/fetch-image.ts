import { onlyFileHosts } from '#domain/server/hosts/check-hops.ts'
import type { Ctx } from '#ports/ctx.ts'
import { RemoteError } from '#ports/http-client.ts'
import { isAppError } from '#lib/errors.ts'

/**
 * Fetches a picture and hands its bytes on. A picture that cannot be had, or is none we take, is left as it is: false.
 * What the bytes are is told by themselves.
 */
export async function fetchImage(
  ctx: Ctx,
  { url, maxBytes }: { url: string; maxBytes: number },
  use: (bytes: Buffer) => Promise<void>,
): Promise<boolean> {
  try {
    const answer = await ctx.http.send({
      url,
      headers: { accept: 'image/*' },
      types: ['image/*', 'application/octet-stream'],
      maxBytes,
      timeout: 20_000,
      sign: onlyFileHosts(ctx),
    })
    if (answer.status !== 200) return false
    await use(answer.body)
    return true
  } catch (error) {
    if (!(error instanceof RemoteError) && !isAppError(error, 'invalid')) throw error
    ctx.log.debug({ url, reason: error.message }, 'a picture of another server could not be used')
    return false
  }
}
