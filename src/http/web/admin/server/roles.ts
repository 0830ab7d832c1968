// The roles of staff, and what everybody may do.
import { html } from 'hono/html'
import { permissions, type Permission } from '#domain/identity/accounts/permissions.ts'
import { createRole, deleteRole, updateRole } from '#domain/identity/roles/edit-role.ts'
import { getRole, listRoles, type RoleRow } from '#domain/identity/roles/queries.ts'
import { highestPosition, isEveryone, namePermissions } from '#domain/identity/roles/rules.ts'
import { asId, type RoleId } from '#lib/id.ts'
import { isId } from '#lib/ids.ts'
import { invalid } from '#lib/errors.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import { boxed, isTicked, listOf, numberOf, textOf, type Entered, type Field } from '../kit/fields.ts'
import { renderBadge } from '../kit/parts.ts'
import { resourcePages, type Resource } from '../kit/resource.ts'
import { renderTable } from '../kit/table.ts'

const path = '/admin/roles'
const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.roles
const allNames = Object.keys(permissions) as Permission[]

const resource: Resource<RoleRow> = {
  path,
  permission: 'manage_roles',
  words: (call) => ({
    title: textsIn(call.language).pages.admin.sections.roles,
    hint: textsOf(call).hint,
    add: textsOf(call).add,
  }),
  list: showList,
  isId: (text) => text === '-99' || isId(text),
  find: (call, id) => getRole(call.ctx, asId<RoleId>(id)),
  nameOf: (row, call) => nameOf(call, row),
  fields: fieldsOf,
  enteredOf: (row) => ({
    name: row?.name ?? '',
    color: row?.color || '#6364ff',
    has_color: boxed(Boolean(row?.color)),
    position: String(row?.position ?? 1),
    highlighted: boxed(row?.highlighted ?? false),
    require_2fa: boxed(row?.require_2fa ?? false),
    collection_limit: String(row?.collection_limit ?? 10),
    permissions: row ? namePermissions(BigInt(row.permissions)) : [],
  }),
  async create(call, entered) {
    await createRole(call.ctx, call.viewer, inputOf(entered, null))
  },
  async update(call, row, entered) {
    await updateRole(call.ctx, call.viewer, row.id, inputOf(entered, row))
  },
  remove: {
    run: (call, row) => deleteRole(call.ctx, call.viewer, row.id),
    consequences: (call) => [textsOf(call).removal],
    mayBe: (row) => !isEveryone(row) && row.position <= highestPosition,
  },
}

const nameOf = (call: DeskCall, row: RoleRow) => (isEveryone(row) ? textsOf(call).everyone : row.name)

function fieldsOf(call: DeskCall, row: RoleRow | null): Field[] {
  const t = textsOf(call)
  const boxes: Field = {
    kind: 'boxes',
    name: 'permissions',
    label: t.permissions,
    choices: allNames.map((value) => ({ value, label: t.allows[value] })),
  }
  const limit: Field = { kind: 'text', name: 'collection_limit', type: 'number', label: t.collections }
  if (row && isEveryone(row)) return [boxes, limit]
  return [
    { kind: 'text', name: 'name', label: t.name, required: true, maxLength: 100 },
    {
      kind: 'text',
      name: 'position',
      type: 'number',
      label: t.position,
      hint: t.positionHint({ max: highestPosition }),
    },
    { kind: 'box', name: 'highlighted', label: t.highlighted },
    { kind: 'box', name: 'has_color', label: t.hasColor },
    { kind: 'text', name: 'color', type: 'color', label: t.color },
    { kind: 'box', name: 'require_2fa', label: t.secondFactor, hint: t.secondFactorHint },
    limit,
    boxes,
  ]
}

/** Throws `invalid` for what is no number. */
function wholeOf(entered: Entered, name: 'position' | 'collection_limit'): number | undefined {
  const number = numberOf(entered, name)
  if (Number.isNaN(number)) throw invalid(name, 'invalid')
  return number
}

function inputOf(entered: Entered, row: RoleRow | null) {
  const shared = {
    permissions: listOf(entered, 'permissions'),
    collectionLimit: wholeOf(entered, 'collection_limit'),
  }
  if (row && isEveryone(row)) return shared
  return {
    ...shared,
    name: textOf(entered, 'name'),
    color: isTicked(entered, 'has_color') ? textOf(entered, 'color') : '',
    position: wholeOf(entered, 'position'),
    highlighted: isTicked(entered, 'highlighted'),
    require2fa: isTicked(entered, 'require_2fa'),
  }
}

async function showList(call: DeskCall) {
  const t = textsOf(call)
  const roles = await listRoles(call.ctx)
  return renderTable(call, {
    caption: resource.words(call).title,
    columns: [
      { label: t.name },
      { label: t.position, numeric: true },
      { label: t.permissions },
      { label: t.more },
    ],
    rows: roles.map((role) => ({
      cells: [
        html`<a href="${path}/${role.id}">${nameOf(call, role)}</a>`,
        isEveryone(role) ? '' : String(role.position),
        namePermissions(BigInt(role.permissions))
          .map((name) => t.allows[name])
          .join(', '),
        html`${role.highlighted ? renderBadge(t.isShown, 'main') : ''}
        ${role.require_2fa ? renderBadge(t.isSecured, 'good') : ''}`,
      ],
    })),
    none: t.everyone,
  })
}

export const pages = resourcePages(resource)
