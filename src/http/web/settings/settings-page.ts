// What all forms of settings have in common: they say that they have saved, and show what was refused beside it.
import { html } from 'hono/html'
import { isAppError } from '#lib/errors.ts'
import { describeProblems } from '#lib/messages/describe-error.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { Html } from '../kit/html.ts'
import { redirectTo, renderPage, type PageContent } from '../kit/layout.ts'
import type { PageCall } from '../kit/page.ts'

const mark = 'saved'

export interface SettingsPage extends Pick<PageContent, 'title' | 'pictures' | 'script'> {
  body: Html
  /** What was wrong with what was sent. */
  problem?: string | undefined
}

/** A page of settings: at once after saving it says so. */
export function renderSettings(call: PageCall, { problem, body, ...page }: SettingsPage): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const isSaved = problem === undefined && call.url.searchParams.has(mark)
  const notice = isSaved ? html`<p class="notice good" role="status">${t.saved}</p>` : ''
  return renderPage(call, {
    ...page,
    body: html`${notice} ${body}`,
    wide: true,
    status: problem === undefined ? 200 : 422,
  })
}

/** Leads back to the page, which says that it has saved. */
export const leadToSaved = (path: string): Response => redirectTo(`${path}?${mark}`)

/** Runs a change and leads back to its page; what was refused is shown by `again`, in words. Throws what is no refusal. */
export async function saveAndReturn(
  call: PageCall,
  path: string,
  save: () => Promise<unknown>,
  again: (problem: string) => Promise<Response>,
): Promise<Response> {
  try {
    await save()
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    return again(describeProblems(error.reason, call.language))
  }
  return leadToSaved(path)
}
