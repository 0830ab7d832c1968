import type { Ctx } from '#ports/ctx.ts'
import { addEndpoints } from './activitypub/endpoint.ts'
import { endpoints } from './activitypub/endpoints.ts'
import { addArrival } from './arrival.ts'
import { addHealth } from './health.ts'
import { addRoutes, createHttpApp, createOperations, type HttpApp } from './kit/app.ts'
import { addMetrics, createMetrics, type Metrics } from './metrics.ts'
import { addOpenApi } from './openapi.ts'
import { routes } from './routes.ts'
import { addApp } from './web/app/app.ts'
import { addAssets } from './web/kit/assets.ts'
import { addErrorPages, addPages } from './web/kit/page.ts'
import { pages } from './web/pages.ts'

/** The web role: everything that answers over HTTP. */
export function createWebApp(ctx: Ctx, metrics: Metrics | null = createMetrics(ctx)): HttpApp {
  const app = createHttpApp(ctx)
  addMetrics(app, ctx, metrics)
  addHealth(app, ctx)
  addArrival(app, ctx)
  addOpenApi(app, ctx, routes)
  addRoutes(app, ctx, routes)
  addAssets(app)
  addEndpoints(app, ctx, endpoints)
  const tools = { operations: createOperations(ctx, routes), renderApp: addApp(app, ctx) }
  addPages(app, ctx, pages, tools)
  addErrorPages(app, ctx, tools)
  return app
}

/** What a process without the web role answers: whether it is well. */
export function createProbeApp(ctx: Ctx, metrics: Metrics | null = createMetrics(ctx)): HttpApp {
  const app = createHttpApp(ctx)
  addMetrics(app, ctx, metrics)
  addHealth(app, ctx)
  return app
}
