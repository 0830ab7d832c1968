import type { Ctx } from '#ports/ctx.ts'
import { approveUser, listWaiting } from '#domain/identity/accounts/registration/approve.ts'
import { changeEmailByOperator } from '#domain/identity/accounts/registration/change-email.ts'
import {
  confirmByOperator,
  createUserByOperator,
  getRoleId,
} from '#domain/identity/accounts/registration/create-by-operator.ts'
import { getLocalUser, listLocalUsers, type LocalUser } from '#domain/identity/accounts/local-user.ts'
import { resetPasswordByOperator } from '#domain/identity/accounts/registration/reset-password.ts'
import { disableLogin, liftLimit } from '#domain/trust/moderation/account-limits.ts'
import {
  areRegistrationsOpen,
  isClosedUntilSetUp,
} from '#domain/identity/sign-up-restrictions/registrations.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { assignRole } from '#domain/identity/roles/assign-role.ts'
import { removeFactorsByStaff } from '#domain/identity/two-factor/turn-off.ts'
import { deleteCommand } from './accounts-delete.ts'
import { follow, unfollow } from './accounts-follow.ts'
import { importArchive } from './accounts-import.ts'
import { cull, prune, refresh } from './accounts-remote.ts'
import { archive, migrate, reset, rotate } from './accounts-maintenance.ts'
import { jsonOption, UsageError, type Command, type Group, type Input } from '../kit/command.ts'
import { printList, type Cell } from '../kit/table.ts'
import { withContext } from '../kit/with-context.ts'

const roleHelp = 'Owner, Admin, Moderator, or the name or id of one that `roles create` made'

const create: Command = {
  summary: 'Makes an account with a random password, which is printed',
  args: ['NAME'],
  options: {
    email: { value: 'ADDRESS', help: 'Needed' },
    confirmed: { help: 'The address counts as confirmed: no link is mailed to it' },
    role: { value: 'ROLE', help: roleHelp },
    approve: { help: 'Lets the account in although the server wants approval' },
  },
  async run({ args, env, text, flag }) {
    const email = text('email')
    if (email === undefined) throw new UsageError('--email is missing')
    const { password, isOpened } = await withContext(env, async ({ ctx }) => {
      const isClosed = await isClosedUntilSetUp(ctx)
      const made = await createUserByOperator(ctx, {
        username: args[0] as string,
        email,
        confirmed: flag('confirmed'),
        role: text('role') ?? null,
        approve: flag('approve'),
      })
      return { ...made, isOpened: isClosed && (await areRegistrationsOpen(ctx, await getSettings(ctx))) }
    })
    // By one write: whoever looks for the password may be gone after its line.
    const note = 'Anybody may sign up from now on: `settings registrations approved` or `close` ends that'
    console.log(['OK', `New password: ${password}`, ...(isOpened ? [note] : [])].join('\n'))
  },
}

const modify: Command = {
  summary: 'Changes an account',
  args: ['NAME'],
  options: {
    role: { value: 'ROLE', help: roleHelp },
    'remove-role': { help: 'Take the role away' },
    email: { value: 'ADDRESS', help: 'Set the address, which counts as confirmed' },
    confirm: { help: 'Confirm the address as it is' },
    enable: { help: 'Let a disabled login in again' },
    disable: { help: 'Shut the login out' },
    approve: { help: 'Let in somebody who waits for approval' },
    'disable-2fa': { help: 'Take all second factors away: the password alone signs in then' },
    'reset-password': { help: 'Set a new random password, print it, and end all sessions' },
  },
  async run(input) {
    const changes = Object.keys(modify.options ?? {}).filter((name) => input.flag(name) || input.text(name))
    if (changes.length === 0) throw new UsageError('There is nothing to change')
    if (input.flag('enable') && input.flag('disable')) throw new UsageError('Either --enable or --disable')
    if (input.flag('remove-role') && input.text('role'))
      throw new UsageError('Either --role or --remove-role')
    const password = await withContext(input.env, async ({ ctx }) =>
      applyChanges(ctx, await getLocalUser(ctx, input.args[0] as string), input),
    )
    console.log(password === null ? 'OK' : `OK\nNew password: ${password}`)
  },
}

/** Returns the new password, if one was wanted. */
async function applyChanges(ctx: Ctx, user: LocalUser, { text, flag }: Input): Promise<string | null> {
  const role = text('role')
  if (role !== undefined) await assignRole(ctx, 'operator', user.accountId, await getRoleId(ctx, role))
  if (flag('remove-role')) await assignRole(ctx, 'operator', user.accountId, null)
  const email = text('email')
  if (email !== undefined) await changeEmailByOperator(ctx, user.username, email)
  if (flag('confirm') || email !== undefined) await confirmByOperator(ctx, user.username)
  if (flag('enable')) await liftLimit(ctx, 'operator', user.accountId, 'disable')
  if (flag('disable')) await disableLogin(ctx, 'operator', user.accountId)
  if (flag('approve')) await approveUser(ctx, 'operator', user.userId)
  if (flag('disable-2fa')) await removeFactorsByStaff(ctx, 'operator', user.accountId)
  return flag('reset-password') ? resetPasswordByOperator(ctx, user.username) : null
}

const approve: Command = {
  summary: 'Lets in people who wait for approval',
  args: ['[NAME...]'],
  options: {
    all: { help: 'Everybody who waits' },
    number: { value: 'N', help: 'The N who have waited longest' },
  },
  async run({ args, env, text, flag }) {
    const number = text('number')
    if ([args.length > 0, flag('all'), number !== undefined].filter(Boolean).length !== 1) {
      throw new UsageError('Give names, --all, or --number')
    }
    if (number !== undefined && !/^[1-9]\d{0,8}$/.test(number))
      throw new UsageError('--number is not a number')
    const count = await withContext(env, async ({ ctx }) => {
      const users =
        args.length > 0
          ? await Promise.all(args.map((name) => getLocalUser(ctx, name)))
          : (await listWaiting(ctx)).slice(0, number === undefined ? undefined : Number(number))
      let approved = 0
      for (const { userId } of users) approved += Number(await approveUser(ctx, 'operator', userId))
      return approved
    })
    console.log(`Approved: ${count}`)
  },
}

const list: Command = {
  summary: 'Lists local accounts, oldest first',
  options: { waiting: { help: 'Those who wait for approval, with what they wrote' }, json: jsonOption },
  async run({ env, flag }) {
    const rows: Record<string, Cell>[] = await withContext(env, async ({ ctx }) =>
      flag('waiting')
        ? (await listWaiting(ctx)).map(({ username, reason }) => ({ username, reason }))
        : (await listLocalUsers(ctx, { active: false })).map(({ username, email, role, state }) => ({
            username,
            email,
            role,
            state,
          })),
    )
    if (flag('json')) console.log(JSON.stringify(rows))
    else
      printList(
        flag('waiting') ? ['name', 'reason'] : ['name', 'e-mail', 'role', 'state'],
        rows.map((row) => Object.values(row)),
      )
  },
}

export const accounts: Group = {
  summary: 'Makes, changes and lists accounts',
  commands: {
    approve,
    backup: archive,
    create,
    cull,
    delete: deleteCommand,
    follow,
    'import-archive': importArchive,
    list,
    migrate,
    modify,
    prune,
    refresh,
    'reset-relationships': reset,
    rotate,
    unfollow,
  },
}
