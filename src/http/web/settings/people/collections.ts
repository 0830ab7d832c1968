// Collections: accounts that somebody recommends together, each with a page that others see.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import {
  createCollection,
  deleteCollection,
  updateCollection,
} from '#domain/reading/collections/edit-collection.ts'
import { addToCollection, maxItems, removeFromCollection } from '#domain/reading/collections/items.ts'
import { getOwnCollection, listCollections } from '#domain/reading/collections/queries.ts'
import { findOrFetchAccount } from '#domain/reading/search/resolve-named.ts'
import { collectionUrl } from '#domain/server/instance/urls.ts'
import { isTicked } from '#http/web/kit/controls.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { renderCheckbox, renderField, renderForm, textParam } from '#http/web/kit/form.ts'
import type { Html } from '#http/web/kit/html.ts'
import { redirectTo } from '#http/web/kit/layout.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { isAppError, notFound } from '#lib/errors.ts'
import { asId, type CollectionId, type CollectionItemId } from '#lib/id.ts'
import { isId } from '#lib/ids.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewCollectionWithAccounts } from '#views/content/collections.ts'
import { renderSettings, saveAndReturn } from '../settings-page.ts'
import { renderPerson } from './person.ts'

const path = '/settings/collections'
/** More than anybody's role allows. */
const max = 100

interface Entered {
  name: string
  description: string
  tagName: string
  discoverable: boolean
  sensitive: boolean
}

const nothing: Entered = { name: '', description: '', tagName: '', discoverable: true, sensitive: false }

const enteredOf = ({ params }: PageCall): Entered => ({
  name: textParam(params, 'name').trim(),
  description: textParam(params, 'description').trim(),
  tagName: textParam(params, 'tag_name').trim().replace(/^#/, ''),
  discoverable: isTicked(params, 'discoverable'),
  sensitive: isTicked(params, 'sensitive'),
})

function renderFields(call: PageCall, action: string, entered: Entered, problem?: string): Html {
  const t = textsIn(call.language).pages.settings
  const { name, description, tagName, discoverable, sensitive } = entered
  return renderForm(call, {
    action,
    problem: problem ?? null,
    fields: [
      renderField({ name: 'name', label: t.collections.name, value: name, maxLength: 40 }),
      renderField({
        name: 'description',
        label: t.collections.description,
        value: description,
        maxLength: 100,
        required: false,
      }),
      renderField({ name: 'tag_name', label: t.collections.tag, value: tagName, required: false }),
      renderCheckbox({
        name: 'discoverable',
        label: t.collections.discoverable,
        hint: t.collections.discoverableHint,
        checked: discoverable,
      }),
      renderCheckbox({ name: 'sensitive', label: t.collections.sensitive, checked: sensitive }),
    ],
    submit: action === path ? t.collections.make : t.save,
  })
}

async function showAll(call: PageCall, viewer: Viewer, problem?: string): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const { accountId } = viewer
  const rows = await listCollections(call.ctx, accountId, accountId, { limit: max, offset: 0 })
  const body = html`<p>${t.collections.hint}</p>
    ${
      rows.length === 0
        ? html`<p class="soft">${t.collections.none}</p>`
        : html`<ul class="rows">
            ${rows.map(
              ({ id, name }) =>
                html`<li>
                  <strong><bdi>${name}</bdi></strong>
                  <a href="${path}/${id}" aria-label="${t.lists.changeOne({ title: name })}"
                    >${t.lists.change}</a
                  >
                </li>`,
            )}
          </ul>`
    }
    <h2>${t.collections.another}</h2>
    ${renderFields(call, path, problem === undefined ? nothing : enteredOf(call), problem)}`
  return renderSettings(call, { title: t.places[path].name, body, problem })
}

interface Refused {
  form: 'collection' | 'member'
  problem: string
}

async function showOne(call: PageCall, viewer: Viewer, refused?: Refused): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const row = await getOwnCollection(call.ctx, viewer.accountId, idOf<CollectionId>(call, 'id'))
  const here = `${path}/${row.id}`
  const problemOf = (form: Refused['form']) => (refused?.form === form ? refused.problem : undefined)
  const entered: Entered = {
    name: row.name,
    description: row.description,
    tagName: row.tag_display_name ?? row.tag_name ?? '',
    discoverable: row.discoverable,
    sensitive: row.sensitive,
  }
  const handle = renderField({
    name: 'acct',
    label: t.limited.handle,
    hint: t.collections.memberHint({ max: maxItems }),
    value: refused?.form === 'member' ? textParam(call.params, 'acct') : '',
    problem: problemOf('member'),
  })
  const form = refused?.form === 'collection' ? enteredOf(call) : entered
  const body = html`${renderFields(call, here, form, problemOf('collection'))}
    <h2>${t.collections.members}</h2>
    ${await renderMembers(call, viewer, row)}
    ${renderForm(call, { action: `${here}/items`, fields: [handle], submit: t.lists.add })}
    <h2>${t.collections.delete}</h2>
    ${renderForm(call, { action: `${here}/delete`, fields: [], submit: t.collections.deleteNow, quiet: true })}
    <p><a href="${collectionUrl(call.ctx.config, row.id)}">${t.collections.see}</a></p>`
  return renderSettings(call, { title: row.name, body, pictures: true, problem: refused?.problem })
}

async function renderMembers(
  call: PageCall,
  viewer: Viewer,
  row: Awaited<ReturnType<typeof getOwnCollection>>,
): Promise<Html> {
  const t = textsIn(call.language).pages.settings
  const { collection, accounts } = await viewCollectionWithAccounts(call.ctx, viewer.accountId, row)
  const rows = collection.items.flatMap((item) => {
    const account = accounts.find(({ id }) => id === item.account_id)
    if (!account) return []
    const action = `${path}/${row.id}/items/${item.id}/remove`
    const has = item.state === 'accepted' || item.state === 'pending'
    const form = { action, fields: [], submit: t.remove, about: `@${account.acct}`, quiet: true }
    return [
      html`<li>
        ${renderPerson(account, has ? '' : html`<br /><small>${t.collections.left}</small>`)}
        ${has ? renderForm(call, form) : ''}
      </li>`,
    ]
  })
  if (rows.length === 0) return html`<p class="soft">${t.collections.noMembers}</p>`
  return html`<ul class="rows">
    ${rows}
  </ul>`
}

function idOf<Id extends CollectionId | CollectionItemId>(call: PageCall, name: string): Id {
  const id = textParam(call.params, name)
  if (!isId(id)) throw notFound()
  return asId<Id>(id)
}

const make = (call: PageCall, viewer: Viewer) =>
  saveAndReturn(
    call,
    path,
    () => createCollection(call.ctx, viewer, enteredOf(call)),
    (problem) => showAll(call, viewer, problem),
  )

const change = (call: PageCall, viewer: Viewer) =>
  saveAndReturn(
    call,
    `${path}/${idOf(call, 'id')}`,
    () => updateCollection(call.ctx, viewer, idOf(call, 'id'), enteredOf(call)),
    (problem) => showOne(call, viewer, { form: 'collection', problem }),
  )

async function remove(call: PageCall, viewer: Viewer): Promise<Response> {
  await deleteCollection(call.ctx, viewer, idOf(call, 'id'))
  return redirectTo(path)
}

async function addMember(call: PageCall, viewer: Viewer): Promise<Response> {
  const collectionId = idOf<CollectionId>(call, 'id')
  const again = (problem: string) => showOne(call, viewer, { form: 'member', problem })
  try {
    const id = await findOrFetchAccount(call.ctx, viewer.accountId, textParam(call.params, 'acct').trim())
    const add = () => addToCollection(call.ctx, viewer, collectionId, id)
    return await saveAndReturn(call, `${path}/${collectionId}`, add, again)
  } catch (error) {
    if (!isAppError(error, 'not_found')) throw error
    return again(textsIn(call.language).pages.settings.limited.unknown)
  }
}

async function removeMember(call: PageCall, viewer: Viewer): Promise<Response> {
  const collectionId = idOf<CollectionId>(call, 'id')
  await removeFromCollection(call.ctx, viewer, collectionId, idOf<CollectionItemId>(call, 'item'))
  return redirectTo(`${path}/${collectionId}`)
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  {
    method: 'GET',
    path: '/settings/collections',
    handle: forViewer((call, viewer) => showAll(call, viewer)),
  },
  { method: 'POST', path: '/settings/collections', handle: forViewer(make) },
  {
    method: 'GET',
    path: '/settings/collections/:id{[0-9]+}',
    handle: forViewer((call, viewer) => showOne(call, viewer)),
  },
  { method: 'POST', path: '/settings/collections/:id{[0-9]+}', handle: forViewer(change) },
  { method: 'POST', path: '/settings/collections/:id{[0-9]+}/delete', handle: forViewer(remove) },
  { method: 'POST', path: '/settings/collections/:id{[0-9]+}/items', handle: forViewer(addMember) },
  {
    method: 'POST',
    path: '/settings/collections/:id{[0-9]+}/items/:item{[0-9]+}/remove',
    handle: forViewer(removeMember),
  },
]
