// When somebody's own posts go by themselves.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import {
  findDeletionPolicy,
  setDeletionPolicy,
  statusAges,
  type DeletionPolicy,
} from '#domain/maintenance/retention/deletion-policy.ts'
import { isAppError } from '#lib/errors.ts'
import { renderCheckbox, renderField, renderForm, textParam } from '../kit/form.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { signInPath } from '../kit/return-to.ts'
import { describeProblems } from '#lib/messages/describe-error.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { Html } from '../kit/html.ts'

const path = '/statuses_cleanup'
const form = 'account_statuses_cleanup_policy'

/** Switches by the names of Mastodon's form. */
const switches = [
  ['keep_pinned', 'keep_pinned', 'keepPinned'],
  ['keep_direct', 'keep_direct', 'keepDirect'],
  ['keep_self_fav', 'keep_self_favourite', 'keepSelfFavourite'],
  ['keep_self_bookmark', 'keep_self_bookmark', 'keepSelfBookmark'],
  ['keep_polls', 'keep_polls', 'keepPolls'],
  ['keep_media', 'keep_media', 'keepMedia'],
] as const

interface Note {
  saved?: boolean
  problem?: string
}

function show(call: PageCall, policy: DeletionPolicy, { saved, problem }: Note = {}): Promise<Response> {
  const t = textsIn(call.language).pages.statusesCleanup
  const body = html`${saved ? html`<p class="notice" role="status">${t.saved}</p>` : ''}
    <p>${t.hint}</p>
    ${renderForm(call, {
      action: path,
      fields: fieldsOf(call, policy),
      submit: t.save,
      problem: problem ?? null,
    })}`
  return renderPage(call, { title: t.title, body, status: problem === undefined ? 200 : 422 })
}

function fieldsOf(call: PageCall, policy: DeletionPolicy): Html[] {
  const t = textsIn(call.language).pages.statusesCleanup
  const count = (name: string, label: string, value: number | null) =>
    renderField({
      name: `${form}[${name}]`,
      label,
      value: value === null ? '' : String(value),
      hint: t.unlimited,
      required: false,
      maxLength: 9,
    })
  return [
    renderCheckbox({ name: `${form}[enabled]`, label: t.enabled, checked: policy.enabled }),
    renderAges(call, policy.min_status_age),
    html`<h2>${t.keep}</h2>`,
    ...switches.map(([name, key, label]) =>
      renderCheckbox({ name: `${form}[${name}]`, label: t[label], checked: policy[key] }),
    ),
    count('min_favs', t.minFavourites, policy.min_favourites),
    count('min_reblogs', t.minReblogs, policy.min_reblogs),
  ]
}

function renderAges(call: PageCall, chosen: number): Html {
  const t = textsIn(call.language).pages.statusesCleanup
  const ages = Object.values(t.ages)
  return html`<label for="min-status-age">${t.age}</label>
    <select id="min-status-age" name="${form}[min_status_age]">
      ${statusAges.map(
        (seconds, index) =>
          html`<option value="${seconds}" ${seconds === chosen ? html`selected` : ''}>
            ${ages[index]}
          </option>`,
      )}
    </select>`
}

/** Boxes that are not ticked are not sent. */
function readForm(call: PageCall): DeletionPolicy {
  const sent = (name: string) => textParam(call.params, form, name).trim()
  const number = (name: string) => (sent(name) === '' ? null : Number(sent(name)))
  const ticked = Object.fromEntries(switches.map(([name, key]) => [key, sent(name) === '1']))
  return {
    ...(ticked as Pick<DeletionPolicy, (typeof switches)[number][1]>),
    enabled: sent('enabled') === '1',
    min_status_age: Number(sent('min_status_age')),
    min_favourites: number('min_favs'),
    min_reblogs: number('min_reblogs'),
  }
}

async function save(call: PageCall, viewer: Viewer): Promise<Response> {
  const wanted = readForm(call)
  try {
    return await show(call, await setDeletionPolicy(call.ctx, viewer, wanted), { saved: true })
  } catch (error) {
    if (!isAppError(error) || error.code !== 'invalid') throw error
    return show(call, wanted, { problem: describeProblems(error.reason, call.language) })
  }
}

const forViewer =
  (work: (call: PageCall, viewer: Viewer) => Promise<Response>): Page['handle'] =>
  async (call) =>
    call.viewer && call.viewer.refusal === null ? work(call, call.viewer) : redirectTo(signInPath(path), 302)

export const pages: readonly Page[] = [
  {
    method: 'GET',
    path: '/statuses_cleanup',
    handle: forViewer(async (call, viewer) =>
      show(call, await findDeletionPolicy(call.ctx, viewer.accountId)),
    ),
  },
  { method: 'POST', path: '/statuses_cleanup', handle: forViewer(save) },
]
