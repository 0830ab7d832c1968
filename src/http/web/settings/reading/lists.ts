// Lists: what they are called, which replies they show, whether they keep their members out of home, and who is in them.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { createList, deleteList, updateList } from '#domain/reading/lists/edit-list.ts'
import { addToList, removeFromList } from '#domain/reading/lists/members.ts'
import { getList, listLists, listMembers, type ListFacts } from '#domain/reading/lists/queries.ts'
import { findOrFetchAccount } from '#domain/reading/search/resolve-named.ts'
import { isTicked, oneOf } from '#http/web/kit/controls.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { renderCheckbox, renderField, renderForm, renderSelect, textParam } from '#http/web/kit/form.ts'
import type { Html } from '#http/web/kit/html.ts'
import { redirectTo } from '#http/web/kit/layout.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { isAppError, notFound } from '#lib/errors.ts'
import { asId, type AccountId, type ListId } from '#lib/id.ts'
import { isId } from '#lib/ids.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewAccounts } from '#views/identity/accounts.ts'
import { renderPerson } from '../people/person.ts'
import { renderSettings, saveAndReturn } from '../settings-page.ts'

const path = '/settings/lists'
const policies = ['list', 'followed', 'none'] as const

const nothing = { title: '', replies_policy: 'list', exclusive: false } as const
type Entered = Pick<ListFacts, 'title' | 'replies_policy' | 'exclusive'>

const enteredOf = ({ params }: PageCall): Entered => ({
  title: textParam(params, 'title').trim(),
  replies_policy: oneOf(params, ['replies_policy'], policies),
  exclusive: isTicked(params, 'exclusive'),
})

const inputOf = ({ title, replies_policy: repliesPolicy, exclusive }: Entered) => ({
  title,
  repliesPolicy,
  exclusive,
})

function renderList(call: PageCall, action: string, list: Entered, problem?: string): Html {
  const t = textsIn(call.language).pages.settings
  return renderForm(call, {
    action,
    problem: problem ?? null,
    fields: [
      renderField({ name: 'title', label: t.lists.name, value: list.title, maxLength: 256 }),
      renderSelect({
        name: 'replies_policy',
        label: t.lists.replies,
        value: list.replies_policy,
        choices: policies.map((value) => ({ value, label: t.lists.policies[value] })),
      }),
      renderCheckbox({
        name: 'exclusive',
        label: t.lists.exclusive,
        hint: t.lists.exclusiveHint,
        checked: list.exclusive,
      }),
    ],
    submit: action === path ? t.lists.make : t.save,
  })
}

async function showAll(call: PageCall, viewer: Viewer, problem?: string): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const lists = await listLists(call.ctx, viewer.accountId)
  const rows = lists.map(
    ({ id, title }) =>
      html`<li>
        <strong><bdi>${title}</bdi></strong>
        <span
          ><a href="${path}/${id}" aria-label="${t.lists.changeOne({ title })}">${t.lists.change}</a></span
        >
      </li>`,
  )
  const body = html`${
      rows.length === 0
        ? html`<p>${t.lists.none}</p>`
        : html`<ul class="rows">
            ${rows}
          </ul>`
    }
    <h2>${t.lists.another}</h2>
    ${renderList(call, path, problem === undefined ? nothing : enteredOf(call), problem)}`
  return renderSettings(call, { title: t.places[path].name, body, problem })
}

interface Refused {
  form: 'list' | 'member'
  problem: string
}

async function showOne(call: PageCall, viewer: Viewer, refused?: Refused): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const id = idOf(call)
  const list = await getList(call.ctx, viewer.accountId, id)
  const { items } = await listMembers(call.ctx, { accountId: viewer.accountId, listId: id }, null)
  const members = await viewAccounts(call.ctx, items)
  const here = `${path}/${id}`
  const problemOf = (form: Refused['form']) => (refused?.form === form ? refused.problem : undefined)
  const rows = members.map(
    (account) =>
      html`<li>
        ${renderPerson(account)}
        ${renderForm(call, {
          action: `${here}/members/remove`,
          fields: [],
          hidden: { account_id: account.id },
          submit: t.remove,
          about: `@${account.acct}`,
          quiet: true,
        })}
      </li>`,
  )
  const handle = renderField({
    name: 'acct',
    label: t.lists.handle,
    hint: t.lists.handleHint,
    value: refused?.form === 'member' ? textParam(call.params, 'acct') : '',
    problem: problemOf('member'),
  })
  const body = html`${renderList(call, here, refused?.form === 'list' ? enteredOf(call) : list, problemOf('list'))}
    <h2>${t.lists.members}</h2>
    ${
      rows.length === 0
        ? html`<p class="soft">${t.lists.noMembers}</p>`
        : html`<ul class="rows">
            ${rows}
          </ul>`
    }
    ${renderForm(call, { action: `${here}/members`, fields: [handle], submit: t.lists.add })}
    <h2>${t.lists.delete}</h2>
    ${renderForm(call, { action: `${here}/delete`, fields: [], submit: t.lists.deleteNow, quiet: true })}
    <p><a href="/lists/${id}">${t.lists.read}</a></p>`
  return renderSettings(call, { title: list.title, body, pictures: true, problem: refused?.problem })
}

function idOf(call: PageCall): ListId {
  const id = textParam(call.params, 'id')
  if (!isId(id)) throw notFound()
  return asId(id)
}

const make = (call: PageCall, viewer: Viewer) =>
  saveAndReturn(
    call,
    path,
    () => createList(call.ctx, viewer, inputOf(enteredOf(call))),
    (problem) => showAll(call, viewer, problem),
  )

const change = (call: PageCall, viewer: Viewer) =>
  saveAndReturn(
    call,
    `${path}/${idOf(call)}`,
    () => updateList(call.ctx, viewer, idOf(call), inputOf(enteredOf(call))),
    (problem) => showOne(call, viewer, { form: 'list', problem }),
  )

async function remove(call: PageCall, viewer: Viewer): Promise<Response> {
  await deleteList(call.ctx, viewer, idOf(call))
  return redirectTo(path)
}

async function addMember(call: PageCall, viewer: Viewer): Promise<Response> {
  const list = await getList(call.ctx, viewer.accountId, idOf(call))
  const again = (problem: string) => showOne(call, viewer, { form: 'member', problem })
  try {
    const id = await findOrFetchAccount(call.ctx, viewer.accountId, textParam(call.params, 'acct').trim())
    return await saveAndReturn(
      call,
      `${path}/${list.id}`,
      () => addToList(call.ctx, viewer, list.id, [id]),
      again,
    )
  } catch (error) {
    if (!isAppError(error, 'not_found')) throw error
    return again(textsIn(call.language).pages.settings.lists.notFollowed)
  }
}

async function removeMember(call: PageCall, viewer: Viewer): Promise<Response> {
  const id = textParam(call.params, 'account_id')
  if (!isId(id)) throw notFound()
  await removeFromList(call.ctx, viewer, idOf(call), [asId<AccountId>(id)])
  return redirectTo(`${path}/${idOf(call)}`)
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/lists', handle: forViewer((call, viewer) => showAll(call, viewer)) },
  { method: 'POST', path: '/settings/lists', handle: forViewer(make) },
  {
    method: 'GET',
    path: '/settings/lists/:id{[0-9]+}',
    handle: forViewer((call, viewer) => showOne(call, viewer)),
  },
  { method: 'POST', path: '/settings/lists/:id{[0-9]+}', handle: forViewer(change) },
  { method: 'POST', path: '/settings/lists/:id{[0-9]+}/delete', handle: forViewer(remove) },
  { method: 'POST', path: '/settings/lists/:id{[0-9]+}/members', handle: forViewer(addMember) },
  { method: 'POST', path: '/settings/lists/:id{[0-9]+}/members/remove', handle: forViewer(removeMember) },
]
