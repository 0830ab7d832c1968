// The providers of identities by which somebody may sign in: to connect them, and to have them forgotten.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import {
  linkIdentity,
  listIdentities,
  providerName,
  unlinkIdentity,
  type ListedIdentity,
} from '#domain/identity/identities/identities.ts'
import { countAddress } from '#http/kit/address-throttle.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { describeReason } from '#lib/messages/describe-error.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { forViewerAt } from '../kit/for-viewer.ts'
import { renderField, renderForm, textParam } from '../kit/form.ts'
import type { Html } from '../kit/html.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'

const path = '/settings/identities'
const directoryPath = `${path}/ldap`

interface Problem {
  text: string
  /** It is about the form for the directory. */
  ofDirectory: boolean
}

async function show(call: PageCall, viewer: Viewer, problem?: Problem): Promise<Response> {
  const { ctx } = call
  const t = textsIn(call.language).pages.identities
  const known = await listIdentities(ctx, viewer.userId)
  const has = (provider: string) => known.some((identity) => identity.provider === provider)
  const general = problem && !problem.ofDirectory ? problem.text : null
  const body = html`<p>${t.hint}</p>
    ${general === null ? '' : html`<p class="problem" role="alert">${general}</p>`}
    ${
      known.length === 0
        ? html`<p class="soft">${t.none}</p>`
        : html`<ul class="rows">
            ${known.map((identity) => renderIdentity(call, identity))}
          </ul>`
    }
    ${ctx.identityProviders
      .filter(({ name }) => !has(name))
      .map((provider) =>
        renderForm(call, {
          action: `/auth/auth/${provider.name}`,
          fields: [],
          submit: t.connectTo({ provider: provider.displayName }),
        }),
      )}
    ${ctx.directory && !has('ldap') ? renderDirectory(call, problem) : ''}
    <p class="soft">${t.passwordHint} <a href="/auth/password/new">${t.setPassword}</a></p>`
  return renderPage(call, { title: t.title, body, wide: true, status: problem ? 422 : 200 })
}

function renderIdentity(call: PageCall, { provider, uid }: ListedIdentity): Html {
  const t = textsIn(call.language).pages.identities
  return html`<li>
    <div>
      <strong>${providerName(call.ctx, provider)}</strong><br />
      <small>${uid}</small>
    </div>
    ${renderForm(call, {
      action: `${path}/${provider}/remove`,
      fields: [],
      submit: t.remove,
      quiet: true,
    })}
  </li>`
}

function renderDirectory(call: PageCall, problem: Problem | undefined): Html {
  const { identities: t, signIn } = textsIn(call.language).pages
  const name = textParam(call.params, 'name')
  return html`<h2>${t.connectTo({ provider: providerName(call.ctx, 'ldap') })}</h2>
    ${renderForm(call, {
      action: directoryPath,
      problem: problem?.ofDirectory ? problem.text : null,
      fields: [
        renderField({ name: 'name', label: signIn.name, value: name, autocomplete: 'username' }),
        renderField({
          name: 'password',
          label: signIn.password,
          type: 'password',
          autocomplete: 'current-password',
        }),
      ],
      submit: t.connect,
    })}`
}

/** Name and password of the directory, which prove that the entry is theirs. Within the limits of signing in. */
async function connectDirectory(call: PageCall, viewer: Viewer): Promise<Response> {
  const { ctx } = call
  if (!ctx.directory) throw notFound()
  await countAddress(call.limits, call.address, 'sign-in')
  const name = textParam(call.params, 'name')
  await call.limits.count('sign-in-login', name.trim().toLowerCase())
  const { directory } = ctx
  return withProblem(call, viewer, true, async () => {
    const identity = await directory.find(name, textParam(call.params, 'password'))
    if (!identity)
      return show(call, viewer, { text: textsIn(call.language).pages.signIn.wrong, ofDirectory: true })
    await linkIdentity(ctx, viewer.userId, identity)
    return redirectTo(path)
  })
}

async function remove(call: PageCall, viewer: Viewer): Promise<Response> {
  return withProblem(call, viewer, false, async () => {
    await unlinkIdentity(call.ctx, viewer.userId, textParam(call.params, 'provider'))
    return redirectTo(path)
  })
}

async function withProblem(
  call: PageCall,
  viewer: Viewer,
  ofDirectory: boolean,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || !['forbidden', 'unavailable'].includes(error.code)) throw error
    return show(call, viewer, { text: describeReason(error.reason, call.language), ofDirectory })
  }
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  { method: 'GET', path, handle: forViewer((call, viewer) => show(call, viewer)) },
  { method: 'POST', path: directoryPath, handle: forViewer(connectDirectory) },
  { method: 'POST', path: `${path}/:provider/remove`, handle: forViewer(remove) },
]
