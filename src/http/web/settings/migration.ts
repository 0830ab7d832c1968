// Moving: aliases for those who come, which have a page of their own too, and the way to another account.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { addAlias, listAliases, removeAlias, type AliasRow } from '#domain/federation/moves/aliases.ts'
import {
  cancelRedirect,
  findRedirect,
  listMigrations,
  moveAccount,
  redirectAccount,
} from '#domain/federation/moves/move-account.ts'
import { isAppError, notFound } from '#lib/errors.ts'
import { isId } from '#lib/ids.ts'
import { renderField, renderForm, textParam } from '../kit/form.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import { describeProblems } from '#lib/messages/describe-error.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewAccount } from '#views/identity/accounts.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { signInPath } from '../kit/return-to.ts'
import type { Html } from '../kit/html.ts'
import { asId, type AccountAliasId } from '#lib/id.ts'

const path = '/settings/migration'
const aliasPath = '/settings/aliases'
const redirectPath = '/settings/migration/redirect'

/** Which form was refused, and why. */
type Refused = { form: 'alias' | 'move' | 'redirect'; problem: string } | null

async function show(call: PageCall, viewer: Viewer, refused: Refused = null): Promise<Response> {
  const t = textsIn(call.language).pages.migration
  const redirect = await findRedirect(call.ctx, viewer.accountId)
  const body =
    redirect === null
      ? html`${await renderIn(call, viewer, refused)} ${await renderOut(call, viewer, refused)}`
      : html`<p class="notice">${t.movedTo({ acct: redirect })}</p>
          ${await renderProgress(call, viewer, redirect)}
          ${renderForm(call, { action: `${redirectPath}/cancel`, fields: [], submit: t.cancel })}`
  return renderPage(call, { title: t.title, body, wide: true, status: refused ? 422 : 200 })
}

/** The accounts that one says are one's own, with the way that goes on from here, in both directions. */
async function showAliases(call: PageCall, viewer: Viewer, refused: Refused = null): Promise<Response> {
  const t = textsIn(call.language).pages.migration
  const aliases = await listAliases(call.ctx, viewer.accountId)
  const body = html`<p>${t.aliasesHint}</p>
    ${aliases.length === 0 ? html`<p class="soft">${t.noAliases}</p>` : renderAliases(call, aliases)}
    ${renderAliasForm(call, refused)}
    <h2>${t.thenTitle}</h2>
    <p>${t.inStart} ${ownHandle(call, viewer)} <a href="${path}">${t.inTitle}</a></p>
    <p>${t.awayHint} <a href="${path}">${t.outTitle}</a></p>`
  return renderPage(call, { title: t.aliasesTitle, body, wide: true, status: refused ? 422 : 200 })
}

function renderAliasForm(call: PageCall, refused: Refused): Html {
  const t = textsIn(call.language).pages.migration
  return renderForm(call, {
    action: aliasPath,
    hidden: fromAliases(call),
    fields: [renderField({ name: 'alias', label: t.alias, value: textParam(call.params, 'alias') })],
    submit: t.addAlias,
    problem: problemOf(refused, 'alias'),
  })
}

const isAliasPage = (call: PageCall) =>
  call.request.method === 'GET'
    ? call.url.pathname === aliasPath
    : textParam(call.params, 'return_to') === aliasPath

/** What is sent from the page of aliases leads back to it. */
const fromAliases = (call: PageCall): Record<string, string> =>
  isAliasPage(call) ? { return_to: aliasPath } : {}

/** How many have come along: each server moves its own people, when it has time. */
async function renderProgress(call: PageCall, viewer: Viewer, acct: string): Promise<Html | string> {
  const t = textsIn(call.language).pages.migration
  const [last] = await listMigrations(call.ctx, viewer.accountId)
  // One that only points to the other keeps its followers.
  if (last?.acct !== acct || last.followers_count === 0) return ''
  const { followers_count: left } = await viewAccount(call.ctx, viewer.accountId)
  const came = Math.max(0, last.followers_count - left)
  return html`<p>${t.came({ came, all: last.followers_count })}</p>
    <progress max="${last.followers_count}" value="${came}" aria-label="${t.progress}"></progress>`
}

const ownHandle = ({ ctx }: PageCall, { username }: Viewer): Html =>
  html`<code>@${username}@${ctx.config.localDomain}</code>`

async function renderIn(call: PageCall, viewer: Viewer, refused: Refused): Promise<Html> {
  const t = textsIn(call.language).pages.migration
  const aliases = await listAliases(call.ctx, viewer.accountId)
  return html`<h2>${t.inTitle}</h2>
    <p>${t.inHint}</p>
    <ol class="steps">
      <li>${t.inBring} <a href="/settings/imports">${t.inBringLink}</a></li>
      <li ${aliases.length > 0 ? html`data-state="done"` : ''}>
        ${t.inName} <a href="${aliasPath}">${t.aliasesTitle}</a> ${renderAliases(call, aliases)}
        ${renderAliasForm(call, refused)}
      </li>
      <li>${t.inStart} ${ownHandle(call, viewer)}</li>
    </ol>`
}

function renderAliases(call: PageCall, aliases: readonly AliasRow[]): Html | string {
  const t = textsIn(call.language).pages.migration
  if (aliases.length === 0) return ''
  return html`<ul class="rows">
    ${aliases.map(
      ({ id, acct }) =>
        html`<li>
          <div>@${acct}</div>
          ${renderForm(call, {
            action: `${aliasPath}/${id}/remove`,
            hidden: fromAliases(call),
            fields: [],
            submit: t.removeAlias,
            about: `@${acct}`,
            quiet: true,
          })}
        </li>`,
    )}
  </ul>`
}

async function renderOut(call: PageCall, viewer: Viewer, refused: Refused): Promise<Html> {
  const t = textsIn(call.language).pages.migration
  const moves = await listMigrations(call.ctx, viewer.accountId)
  const past = moves.map(
    (move) => html`<li>${t.pastMove({ acct: move.acct, followers: move.followers_count })}</li>`,
  )
  return html`<h2>${t.outTitle}</h2>
    <p>${t.outHint}</p>
    <ol class="steps">
      <li>${t.outTake} <a href="/settings/export">${t.outTakeLink}</a></li>
      <li>${t.outName} ${ownHandle(call, viewer)}</li>
      <li>${t.outMove} ${renderLeaving(call, { action: path, name: 'move', submit: t.move }, refused)}</li>
    </ol>
    <h2>${t.redirectTitle}</h2>
    <p>${t.redirectHint}</p>
    ${renderLeaving(call, { action: redirectPath, name: 'redirect', submit: t.redirect }, refused)}
    ${
      past.length === 0
        ? ''
        : html`<h2>${t.past}</h2>
            <ul class="rows">
              ${past}
            </ul>`
    }`
}

function renderLeaving(
  call: PageCall,
  form: { action: string; name: 'move' | 'redirect'; submit: string },
  refused: Refused,
): Html {
  const t = textsIn(call.language).pages.migration
  const target = `${form.name}_acct`
  const fields = [
    renderField({ name: target, label: t.target, value: textParam(call.params, target) }),
    renderField({
      name: `${form.name}_password`,
      label: t.password,
      type: 'password',
      autocomplete: 'current-password',
    }),
  ]
  return renderForm(call, { ...form, fields, problem: problemOf(refused, form.name) })
}

const problemOf = (refused: Refused, form: string) => (refused?.form === form ? refused.problem : null)

/** What is refused is shown above its form. */
async function carryOut(
  call: PageCall,
  viewer: Viewer,
  form: NonNullable<Refused>['form'],
  work: () => Promise<void>,
): Promise<Response> {
  try {
    await work()
    return redirectTo(isAliasPage(call) ? aliasPath : path)
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    const problem = describeProblems(error.reason, call.language)
    return (isAliasPage(call) ? showAliases : show)(call, viewer, { form, problem })
  }
}

const leaving = (call: PageCall, form: 'move' | 'redirect') => ({
  acct: textParam(call.params, `${form}_acct`),
  password: textParam(call.params, `${form}_password`),
})

/** Guessing a password, and asking other servers, are counted. */
async function countTry(call: PageCall, viewer: Viewer): Promise<void> {
  await call.limits.count('moves', viewer.accountId)
}

async function move(call: PageCall, viewer: Viewer): Promise<Response> {
  await countTry(call, viewer)
  return carryOut(call, viewer, 'move', () => moveAccount(call.ctx, viewer, leaving(call, 'move')))
}

async function redirect(call: PageCall, viewer: Viewer): Promise<Response> {
  await countTry(call, viewer)
  return carryOut(call, viewer, 'redirect', () =>
    redirectAccount(call.ctx, viewer, leaving(call, 'redirect')),
  )
}

async function cancel(call: PageCall, viewer: Viewer): Promise<Response> {
  await cancelRedirect(call.ctx, viewer)
  return redirectTo(path)
}

async function nameAlias(call: PageCall, viewer: Viewer): Promise<Response> {
  await countTry(call, viewer)
  return carryOut(call, viewer, 'alias', () => addAlias(call.ctx, viewer, textParam(call.params, 'alias')))
}

async function dropAlias(call: PageCall, viewer: Viewer): Promise<Response> {
  const id = textParam(call.params, 'id')
  if (!isId(id)) throw notFound()
  await removeAlias(call.ctx, viewer, asId<AccountAliasId>(id))
  return redirectTo(isAliasPage(call) ? aliasPath : path)
}

/** Also for an account that has moved, whose login can do nothing else. */
const forViewer =
  (work: (call: PageCall, viewer: Viewer) => Promise<Response>): Page['handle'] =>
  async (call) => {
    const { viewer } = call
    if (!viewer) return redirectTo(signInPath(path), 302)
    const mayAct = viewer.refusal === null || (await findRedirect(call.ctx, viewer.accountId)) !== null
    return mayAct ? work(call, viewer) : redirectTo(signInPath(path), 302)
  }

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/migration', handle: forViewer((call, viewer) => show(call, viewer)) },
  { method: 'POST', path: '/settings/migration', handle: forViewer(move) },
  { method: 'POST', path: '/settings/migration/redirect', handle: forViewer(redirect) },
  { method: 'POST', path: '/settings/migration/redirect/cancel', handle: forViewer(cancel) },
  {
    method: 'GET',
    path: '/settings/aliases',
    handle: forViewer((call, viewer) => showAliases(call, viewer)),
  },
  { method: 'POST', path: '/settings/aliases', handle: forViewer(nameAlias) },
  { method: 'POST', path: '/settings/aliases/:id/remove', handle: forViewer(dropAlias) },
]
