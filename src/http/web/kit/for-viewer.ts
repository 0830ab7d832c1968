import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { redirectTo } from './layout.ts'
import type { Page, PageCall } from './page.ts'
import { signInPath } from './return-to.ts'

type Work = (call: PageCall, viewer: Viewer) => Promise<Response>

const mayAct = (viewer: Viewer) => viewer.refusal === null

/**
 * Pages of people who are signed in: others are led to the sign-in page, and from there to `path`. `admits`: whose login
 * will do; by default one that may act.
 */
export const forViewerAt =
  (path: string, admits: (viewer: Viewer) => boolean = mayAct) =>
  (work: Work): Page['handle'] =>
  async (call) =>
    call.viewer && admits(call.viewer) ? work(call, call.viewer) : redirectTo(signInPath(path), 302)
