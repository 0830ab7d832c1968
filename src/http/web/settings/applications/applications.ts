// Applications that somebody makes for themselves: their keys, what they may do, and how they go.
import { html } from 'hono/html'
import { asId, type ApplicationId } from '#lib/id.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { Application } from '#domain/identity/oauth/applications.ts'
import {
  createOwnApplication,
  deleteOwnApplication,
  getOwnApplication,
  listOwnApplications,
  rotateClientSecret,
  rotateOwnToken,
  updateOwnApplication,
  type ToldSecrets,
} from '#domain/identity/oauth/own-applications.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { renderForm, textParam } from '#http/web/kit/form.ts'
import { redirectTo, renderPage } from '#http/web/kit/layout.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { isAppError, notFound } from '#lib/errors.ts'
import { isId } from '#lib/ids.ts'
import { describeProblems } from '#lib/messages/describe-error.ts'
import { textsIn } from '#lib/messages/texts.ts'
import {
  applicationsPath,
  nothingEntered,
  readEntered,
  renderApplicationForm,
  renderTold,
  toInput,
  type Entered,
} from './application-parts.ts'

const idOf = (call: PageCall): ApplicationId => {
  const id = textParam(call.params, 'id')
  if (!isId(id)) throw notFound()
  return asId(id)
}

async function showAll(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.applications
  const applications = await listOwnApplications(call.ctx, viewer)
  const rows =
    applications.length === 0
      ? html`<p>${t.none}</p>`
      : html`<ul class="rows">
          ${applications.map(
            (one) =>
              html`<li>
                <div>
                  <a href="${applicationsPath}/${one.id}">${one.name}</a><br />
                  <small>${one.scopes.join(' ')}</small>
                </div>
              </li>`,
          )}
        </ul>`
  const body = html`<p>${t.hint}</p>
    ${rows}
    <p><a href="${applicationsPath}/new">${t.make}</a></p>`
  return renderPage(call, { title: t.title, body, wide: true })
}

interface Shown {
  entered: Entered
  problem?: string
}

function showNew(
  call: PageCall,
  viewer: Viewer,
  { entered, problem }: Shown = { entered: nothingEntered },
): Promise<Response> {
  const t = textsIn(call.language).pages.applications
  const body = renderApplicationForm(call, viewer, {
    action: applicationsPath,
    submit: t.make,
    entered,
    problem,
  })
  return renderPage(call, { title: t.make, body, wide: true, status: problem === undefined ? 200 : 422 })
}

async function showOne(
  call: PageCall,
  viewer: Viewer,
  { told = {}, entered, problem }: Partial<Shown> & { told?: ToldSecrets } = {},
): Promise<Response> {
  const application = await getOwnApplication(call.ctx, viewer, idOf(call))
  return renderOne(call, viewer, { application, told, entered, problem })
}

function renderOne(
  call: PageCall,
  viewer: Viewer,
  shown: {
    application: Application
    told: ToldSecrets
    entered?: Entered | undefined
    problem?: string | undefined
  },
): Promise<Response> {
  const { application, told, entered = application, problem } = shown
  const t = textsIn(call.language).pages.applications
  const path = `${applicationsPath}/${application.id}`
  const button = (action: string, submit: string) =>
    renderForm(call, { action: `${path}/${action}`, fields: [], submit, quiet: true })
  const form = renderApplicationForm(call, viewer, { action: path, submit: t.save, entered, problem })
  const body = html`${renderTold(call, told)}
    <dl>
      <dt>${t.clientId}</dt>
      <dd><code>${application.clientId}</code></dd>
    </dl>
    <p>${t.secretHint}</p>
    ${button('secret', t.rotateSecret)}
    <p>${t.tokenHint}</p>
    ${button('token', t.rotateToken)} ${form}
    <h2>${t.delete}</h2>
    <p>${t.deleteHint}</p>
    ${button('delete', t.delete)}
    <p><a href="${applicationsPath}">${t.back}</a></p>`
  return renderPage(call, {
    title: application.name,
    body,
    wide: true,
    status: problem === undefined ? 200 : 422,
  })
}

/** What was wrong with what was sent. Other errors are thrown on. */
function problemOf(call: PageCall, error: unknown): string {
  if (!isAppError(error, 'invalid')) throw error
  return describeProblems(error.reason, call.language)
}

async function make(call: PageCall, viewer: Viewer): Promise<Response> {
  const entered = readEntered(call)
  try {
    const made = await createOwnApplication(call.ctx, viewer, toInput(entered))
    return await renderOne(call, viewer, made)
  } catch (error) {
    return showNew(call, viewer, { entered, problem: problemOf(call, error) })
  }
}

async function save(call: PageCall, viewer: Viewer): Promise<Response> {
  const id = idOf(call)
  const entered = readEntered(call)
  try {
    await updateOwnApplication(call.ctx, viewer, id, toInput(entered))
  } catch (error) {
    return showOne(call, viewer, { entered, problem: problemOf(call, error) })
  }
  return redirectTo(`${applicationsPath}/${id}`)
}

const rotating =
  (rotate: typeof rotateClientSecret) =>
  async (call: PageCall, viewer: Viewer): Promise<Response> =>
    showOne(call, viewer, { told: await rotate(call.ctx, viewer, idOf(call)) })

async function remove(call: PageCall, viewer: Viewer): Promise<Response> {
  await deleteOwnApplication(call.ctx, viewer, idOf(call))
  return redirectTo(applicationsPath)
}

const forViewer = forViewerAt(applicationsPath)

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/applications', handle: forViewer(showAll) },
  { method: 'POST', path: '/settings/applications', handle: forViewer(make) },
  {
    method: 'GET',
    path: '/settings/applications/new',
    handle: forViewer((call, viewer) => showNew(call, viewer)),
  },
  {
    method: 'GET',
    path: '/settings/applications/:id{[0-9]+}',
    handle: forViewer((call, viewer) => showOne(call, viewer)),
  },
  { method: 'POST', path: '/settings/applications/:id{[0-9]+}', handle: forViewer(save) },
  {
    method: 'POST',
    path: '/settings/applications/:id{[0-9]+}/secret',
    handle: forViewer(rotating(rotateClientSecret)),
  },
  {
    method: 'POST',
    path: '/settings/applications/:id{[0-9]+}/token',
    handle: forViewer(rotating(rotateOwnToken)),
  },
  { method: 'POST', path: '/settings/applications/:id{[0-9]+}/delete', handle: forViewer(remove) },
]
