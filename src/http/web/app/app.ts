import type { HttpApp } from '#http/kit/app.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { PageTools } from '../kit/page.ts'
import { addBuild, readBuild } from './build.ts'
import { pickLanguage } from '#lib/messages/pick-language.ts'
import { readLook } from '../kit/look.ts'
import { renderApp, renderShell } from './document.ts'

/** Serves the web app's files, and returns what renders its document: never, where the app is not built. */
export function addApp(app: HttpApp, ctx: Ctx): PageTools['renderApp'] {
  const build = readBuild()
  if (build === null) {
    ctx.log.warn({}, 'the web app is not built, only plain pages are served: run npm run build')
    return async () => null
  }
  addBuild(app, build)
  app.get('/app/shell', (c) => {
    const language = pickLanguage(c.req.query('lang') ?? null, c.req.header('accept-language') ?? null)
    return renderShell(build, { ctx, language, settings: readLook(c.req.query()) })
  })
  return async (call, begin) => await renderApp(build, call, begin)
}
