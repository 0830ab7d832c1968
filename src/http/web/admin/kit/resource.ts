// The pages of a kind of thing that staff keep a list of: the list, one to make, one to change, one to take away.
import { html } from 'hono/html'
import { hasAnyPermission, type Permission } from '#domain/identity/accounts/permissions.ts'
import { notFound } from '#lib/errors.ts'
import { isId } from '#lib/ids.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { textParam } from '../../kit/form.ts'
import { redirectWith } from '../../kit/flash.ts'
import type { Html } from '../../kit/html.ts'
import type { Page } from '../../kit/page.ts'
import { adminPage, type DeskCall } from './admin-page.ts'
import { renderConfirm } from './confirm.ts'
import { renderDesk } from './desk.ts'
import {
  attempt,
  readEntered,
  renderFieldsForm,
  renderLockedFields,
  type Entered,
  type Field,
  type Problems,
} from './fields.ts'

export interface Resource<Row> {
  /** Where the list is; one of them is below, by its id. */
  path: `/admin/${string}`
  permission: Permission | readonly Permission[]
  /** Who may make, change and take away, where that is not everybody who may look. */
  writers?: Permission
  /** Bytes of a file that its forms may bring. */
  upload?: number
  words(call: DeskCall): Words
  list(call: DeskCall): Promise<Html>
  /** Throws `not_found`. */
  find(call: DeskCall, id: string): Promise<Row>
  nameOf(row: Row, call: DeskCall): string
  /** Without a row: of one that is being made. */
  fields(call: DeskCall, row: Row | null): readonly Field[] | Promise<readonly Field[]>
  /** Without a row: what stands in the form at first. */
  enteredOf(row: Row | null, call: DeskCall): Entered
  /** Returns where to go on, or nothing: to the list. */
  create?(call: DeskCall, entered: Entered): Promise<Going>
  update?(call: DeskCall, row: Row, entered: Entered): Promise<Going>
  remove?: {
    run(call: DeskCall, row: Row, entered: Entered): Promise<unknown>
    /** What happens then, each in a sentence. */
    consequences(call: DeskCall, row: Row): readonly string[] | Promise<readonly string[]>
    fields?(call: DeskCall, row: Row): Html
    mayBe?(row: Row): boolean
  }
  /** Nothing of it can be changed any more: it is shown without a form. */
  isFixed?(row: Row): boolean
  /** What stands above and below the form of one. */
  above?(call: DeskCall, row: Row): Promise<Html | string>
  below?(call: DeskCall, row: Row | null): Promise<Html | string>
  /** Further buttons of the form. */
  others?(row: Row | null, call: DeskCall): readonly { action: string; label: string }[]
  /** What is an id, where that is not what ids of rows are. */
  isId?(text: string): boolean
}

/** Where the page after a form is and what it says; nothing: the list, and what all such pages say. */
export type Going = { to?: string; text?: string } | Response | void

export interface Words {
  title: string
  /** What the list is for. */
  hint: string
  /** The title of the form for a new one, and the link to it. */
  add: string
}

/** All pages of a resource. */
export function resourcePages<Row>(resource: Resource<Row>): Page[] {
  const { path, permission, writers = permission, upload } = resource
  const one = `${path}/:id{-?[0-9]+}` as const
  const read = { permission } as const
  const write = { permission: writers, ...(upload !== undefined && { upload }) } as const
  const { create, update, remove } = resource
  return [
    adminPage({ path, ...read, handle: (call) => showList(call, resource) }),
    ...(create
      ? [
          adminPage({
            path: `${path}/new`,
            permission: writers,
            handle: (call) => showForm(call, resource, { row: null }),
          }),
          adminPage({ method: 'POST', path, ...write, handle: (call) => save(call, resource, null) }),
        ]
      : []),
    ...(update
      ? [
          adminPage({
            path: one,
            ...read,
            handle: async (call) => showForm(call, resource, { row: await findRow(call, resource) }),
          }),
          adminPage({
            method: 'POST',
            path: one,
            ...write,
            handle: async (call) => save(call, resource, await findRow(call, resource)),
          }),
        ]
      : []),
    ...(remove
      ? [
          adminPage({
            path: `${one}/remove`,
            permission: writers,
            handle: (call) => askToRemove(call, resource),
          }),
          adminPage({
            method: 'POST',
            path: `${one}/remove`,
            permission: writers,
            handle: (call) => runRemoval(call, resource),
          }),
        ]
      : []),
  ]
}

/** The row that the address names. Throws `not_found`. */
export function findRow<Row>(
  call: DeskCall,
  { find, isId: fits = isId }: Pick<Resource<Row>, 'find' | 'isId'>,
): Promise<Row> {
  const id = textParam(call.params, 'id')
  if (!fits(id)) throw notFound()
  return find(call, id)
}

async function showList<Row>(call: DeskCall, resource: Resource<Row>): Promise<Response> {
  const words = resource.words(call)
  const mayAdd = resource.create && hasAnyPermission(call.viewer, resource.writers ?? resource.permission)
  const body = html`<p class="lead">${words.hint}</p>
    ${mayAdd ? html`<p><a class="button main" href="${resource.path}/new">${words.add}</a></p>` : ''}
    ${await resource.list(call)}`
  return renderDesk(call, { title: words.title, body })
}

interface Shown<Row> {
  row: Row | null
  entered?: Entered
  problems?: Problems
  /** What came of trying what stands in the form. */
  tried?: Html
}

/** The form of one, with what was typed and what is wrong with it. */
export async function showForm<Row>(
  call: DeskCall,
  resource: Resource<Row>,
  { row, entered, problems, tried }: Shown<Row>,
): Promise<Response> {
  const t = textsIn(call.language).pages.desk.common
  const words = resource.words(call)
  const action = row === null ? resource.path : pathOf(call, resource)
  const fields = await resource.fields(call, row)
  const typed = entered ?? resource.enteredOf(row, call)
  const mayWrite = hasAnyPermission(call.viewer, resource.writers ?? resource.permission)
  const form = !mayWrite
    ? renderLockedFields(fields, typed)
    : renderFieldsForm(call, {
        action,
        fields,
        entered: typed,
        problems,
        submit: row === null ? t.add : t.save,
        others: resource.others?.(row, call) ?? [],
      })
  const { remove } = resource
  const removal =
    row !== null && mayWrite && remove && (remove.mayBe?.(row) ?? true)
      ? html`<p><a class="button quiet alarming" href="${action}/remove">${t.remove}</a></p>`
      : ''
  const body = html`${row === null ? '' : await resource.above?.(call, row)}
  ${row !== null && resource.isFixed?.(row) ? '' : html`<div class="panel">${form}</div>`} ${tried ?? ''}
  ${removal} ${await resource.below?.(call, row)}`
  return renderDesk(call, {
    title: row === null ? words.add : resource.nameOf(row, call),
    body,
    trail: [[resource.path, words.title]],
    ...(problems && { status: 422 }),
  })
}

const pathOf = (call: DeskCall, { path }: { path: string }) => `${path}/${textParam(call.params, 'id')}`

async function save<Row>(call: DeskCall, resource: Resource<Row>, row: Row | null): Promise<Response> {
  const entered = readEntered(call, await resource.fields(call, row))
  const result = await attempt(call, async () =>
    row === null ? resource.create?.(call, entered) : resource.update?.(call, row, entered),
  )
  if ('problems' in result) return showForm(call, resource, { row, entered, problems: result.problems })
  const { done } = result
  if (done instanceof Response) return done
  const t = textsIn(call.language).pages.desk.common
  const { to = resource.path, text = t.saved } = done ?? {}
  return redirectWith(call, to, { text })
}

async function askToRemove<Row>(
  call: DeskCall,
  resource: Resource<Row>,
  problems: Problems = {},
): Promise<Response> {
  const row = await findRow(call, resource)
  const { remove } = resource
  if (!remove) throw notFound()
  const t = textsIn(call.language).pages.desk.common
  const back = resource.update ? pathOf(call, resource) : resource.path
  return renderConfirm(call, {
    title: t.removeTitle({ name: resource.nameOf(row, call) }),
    consequences: [
      ...Object.values(problems).map((text) => html`<strong class="problem">${text}</strong>`),
      ...(await remove.consequences(call, row)),
    ],
    action: `${pathOf(call, resource)}/remove`,
    ...(remove.fields && { fields: remove.fields(call, row) }),
    submit: t.remove,
    back,
    ...(Object.keys(problems).length > 0 && { status: 422 }),
  })
}

async function runRemoval<Row>(call: DeskCall, resource: Resource<Row>): Promise<Response> {
  const row = await findRow(call, resource)
  const { remove } = resource
  if (!remove) throw notFound()
  const result = await attempt(call, () => remove.run(call, row, { keep: textParam(call.params, 'keep') }))
  if ('problems' in result) return askToRemove(call, resource, result.problems)
  const t = textsIn(call.language).pages.desk.common
  return redirectWith(call, resource.path, { text: t.removed({ name: resource.nameOf(row, call) }) })
}
