/**
 * How a page of the staff's desk is made.
 *
 * - `adminPage({ path, permission, handle })` binds it as `route()` binds an operation: strangers are led to the sign-in
 *   page, who lacks the second factor that their role demands is led to it, who may not is refused (403) before anything
 *   of the request is read. Forms are guarded as on all pages. Its file is listed in `web/admin/pages.ts`, its address in
 *   `kit/sections.ts`, and test/support/visibility/ has to know it.
 * - A GET answers `renderDesk(call, { title, body })`: the frame with the links to what the viewer may see.
 * - A POST calls the command of the domain that the operation of the API calls, and nothing else, then answers
 *   `redirectWith(call, path, { text, undo })`: what was done is said by the next page. Where the command refuses, it
 *   throws, and the page of the error says why; `tryForm` gives the words instead, for a form that keeps what was typed.
 * - What cannot be undone, and what is done to many, answers `renderConfirm(call, …)` first: a page with what will happen.
 * - Lists: `renderFilters`, `renderTable` (or `renderBulk` for rows to tick), `renderPager` below; `pageOf(call)` reads
 *   where the page begins. One thing: `renderFacts`.
 */
import type { Permission } from '#domain/identity/accounts/permissions.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { isAppError } from '#lib/errors.ts'
import { describeProblems } from '#lib/messages/describe-error.ts'
import { redirectTo } from '../../kit/layout.ts'
import type { Page, PageCall } from '../../kit/page.ts'
import { signInPath } from '../../kit/return-to.ts'

/** What the handler of a page gets: somebody is signed in, and may. */
export interface DeskCall extends PageCall {
  readonly viewer: Viewer
}

export interface AdminPage extends Pick<Page, 'upload'> {
  /** `GET` unless given. */
  method?: 'GET' | 'POST'
  path: '/admin' | `/admin/${string}`
  permission: Permission | readonly Permission[]
  handle(call: DeskCall): Promise<Response>
}

/** Declares a page of the desk, or what a form on one does. */
export function adminPage({ method = 'GET', handle, ...page }: AdminPage): Page {
  return {
    ...page,
    method,
    personal: true,
    handle: async (call) =>
      isStaff(call) ? handle(call) : redirectTo(signInPath(call.url.pathname + call.url.search), 302),
  }
}

const isStaff = (call: PageCall): call is DeskCall => call.viewer !== null && call.viewer.refusal === null

/** Does what a form asks for. Returns why it was refused, in the words of the viewer; null when it was done. */
export async function tryForm(call: DeskCall, work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    return describeProblems(error.reason, call.language)
  }
}
