import { setSetting, type RegistrationsMode } from '#domain/instance/settings.ts'
import { UsageError, type Command, type Group } from './command.ts'
import { withContext } from './with-context.ts'

const modes: ReadonlyMap<string | undefined, RegistrationsMode> = new Map([
  ['open', 'open'],
  ['close', 'none'],
  ['approved', 'approved'],
])

const registrations: Command = {
  summary: 'Says who may sign up: MODE is open, close, or approved (staff let people in)',
  args: ['MODE'],
  options: { 'require-reason': { help: 'With approved: people must say why they want to join' } },
  async run({ args, env, flag }) {
    const mode = modes.get(args[0])
    if (mode === undefined)
      throw new UsageError(`MODE is ${JSON.stringify(args[0])}, not open, close or approved`)
    await withContext(env, async ({ ctx }) => {
      await setSetting(ctx, 'registrations_mode', mode)
      if (mode === 'approved') await setSetting(ctx, 'require_invite_text', flag('require-reason'))
    })
    console.log(`Registrations: ${args[0]}`)
  },
}

export const settings: Group = { summary: 'Changes settings of the server', commands: { registrations } }
