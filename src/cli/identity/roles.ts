import { getRoleId } from '#domain/identity/accounts/registration/create-by-operator.ts'
import { permissions } from '#domain/identity/accounts/permissions.ts'
import { createRole, deleteRole, updateRole } from '#domain/identity/roles/edit-role.ts'
import { everyoneId } from '#domain/identity/accounts/permissions.ts'
import { getRole, listRoles } from '#domain/identity/roles/queries.ts'
import { namePermissions, type RoleInput } from '#domain/identity/roles/rules.ts'
import type { Ctx } from '#ports/ctx.ts'
import { jsonOption, UsageError, type Command, type Group, type Input, type Option } from '../kit/command.ts'
import { printList } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'

const options: Readonly<Record<string, Option>> = {
  name: { value: 'NAME', help: 'What it is called' },
  color: { value: 'COLOR', help: 'Such as #ff8800; empty for none' },
  permissions: { value: 'LIST', help: `With commas between them: ${Object.keys(permissions).join(', ')}` },
  position: { value: 'N', help: 'Up to 999: higher ones act on lower ones' },
  highlighted: { value: 'YES', help: 'Whether profiles show it: true or false' },
  'require-2fa': { value: 'YES', help: 'Whether its people must use a second factor: true or false' },
  'collection-limit': { value: 'N', help: 'How many collections its people may have' },
}

const list: Command = {
  summary: 'Lists roles, highest first',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const rows = await withContext(env, ({ ctx }) => listRoles(ctx))
    if (flag('json')) return console.log(JSON.stringify(rows))
    const permissions = (bits: string) => namePermissions(BigInt(bits)).join(',') || null
    printList(
      ['id', 'position', 'name', 'permissions'],
      rows.map((row) => [row.id, row.position, row.name || '(everybody)', permissions(row.permissions)]),
    )
  },
}

const { name: _, ...furtherOptions } = options

const create: Command = {
  summary: 'Makes a role and prints its id',
  args: ['NAME'],
  options: furtherOptions,
  async run(input) {
    const wanted = { ...readOptions(input), name: input.args[0] as string }
    console.log(await withContext(input.env, ({ ctx }) => createRole(ctx, 'operator', wanted)))
  },
}

const modify: Command = {
  summary: 'Changes a role: ROLE is its name, its id, or everybody',
  args: ['ROLE'],
  options,
  async run(input) {
    const wanted = readOptions(input)
    if (Object.values(wanted).every((value) => value === undefined))
      throw new UsageError('There is nothing to change')
    await withContext(input.env, async ({ ctx }) =>
      updateRole(ctx, 'operator', (await findRole(ctx, input.args[0] as string)).id, wanted),
    )
    console.log('OK')
  },
}

const remove: Command = {
  summary: 'Deletes a role, by its name or id: whoever has it has none then',
  args: ['ROLE'],
  options: { 'dry-run': { help: 'Only say what would go' } },
  async run({ args, env, flag }) {
    const role = await withContext(env, async ({ ctx }) => {
      const found = await findRole(ctx, args[0] as string)
      if (!flag('dry-run')) await deleteRole(ctx, 'operator', found.id)
      return found
    })
    console.log(`${flag('dry-run') ? 'Would delete' : 'Deleted'} ${role.name}`)
  },
}

function readOptions({ text }: Input): RoleInput {
  return {
    name: text('name'),
    color: text('color'),
    permissions: text('permissions'),
    position: readNumber('position', text('position')),
    highlighted: readSwitch('highlighted', text('highlighted')),
    require2fa: readSwitch('require-2fa', text('require-2fa')),
    collectionLimit: readNumber('collection-limit', text('collection-limit')),
  }
}

function readNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^\d{1,6}$/.test(value)) throw new UsageError(`--${name} is a whole number`)
  return Number(value)
}

function readSwitch(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined
  if (value !== 'true' && value !== 'false') throw new UsageError(`--${name} is true or false`)
  return value === 'true'
}

const findRole = async (ctx: Ctx, name: string) =>
  getRole(ctx, name === 'everybody' ? everyoneId : await getRoleId(ctx, name))

export const roles: Group = {
  summary: 'What staff may do',
  commands: { create, delete: remove, list, modify },
}
