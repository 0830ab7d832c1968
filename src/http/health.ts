import { isDatabaseReady } from '#domain/server/instance/health.ts'
import { retryLater } from '#lib/net/retry-after.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { HttpApp } from './kit/app.ts'
import { counted } from './kit/counted.ts'

/** How long the database may take to answer, in milliseconds: balancers ask often and wait little. */
const patience = 2_000

/** `/health`: 200 `OK` when this server can answer requests, 503 while its database is away. */
export function addHealth(app: HttpApp, ctx: Ctx): void {
  let asking: Promise<boolean> | undefined
  // Balancers ask as often as they like, and the database is asked once for all who wait.
  const answer = counted(async () => {
    asking ??= isDatabaseReady(ctx, patience).finally(() => (asking = undefined))
    const ready = await asking
    return new Response(ready ? 'OK' : 'The database does not answer', {
      status: ready ? 200 : 503,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        ...(!ready && retryLater),
      },
    })
  })
  app.get('/health', answer)
}
