import {
  defaultSettings,
  readSettings,
  setSetting,
  type RegistrationsMode,
  type SettingKey,
} from '#domain/instance/settings.ts'
import { parseSetting } from '#domain/instance/parse-setting.ts'
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

const show: Command = {
  summary: 'Prints all settings',
  args: [],
  options: { json: { help: 'Print JSON' } },
  async run({ env, flag }) {
    await withContext(env, async ({ ctx }) => {
      const all = await readSettings(ctx)
      if (flag('json')) return console.log(JSON.stringify(all, null, 2))
      for (const [key, value] of Object.entries(all)) console.log(`${key}: ${JSON.stringify(value)}`)
    })
  },
}

const set: Command = {
  summary: 'Changes the setting KEY to VALUE (`settings show` lists them)',
  args: ['KEY', 'VALUE'],
  options: {},
  async run({ args: [key = '', text = ''], env }) {
    if (!Object.hasOwn(defaultSettings, key))
      throw new UsageError(`There is no setting ${JSON.stringify(key)}`)
    const parsed = parseSetting(key as SettingKey, text)
    if ('problem' in parsed)
      throw new UsageError(`${key} is ${JSON.stringify(text)}; allowed is ${parsed.problem}`)
    await withContext(env, ({ ctx }) => setSetting(ctx, key as SettingKey, parsed.value))
    console.log(`${key}: ${JSON.stringify(parsed.value)}`)
  },
}

export const settings: Group = {
  summary: 'Changes settings of the server',
  commands: { registrations, set, show },
}
