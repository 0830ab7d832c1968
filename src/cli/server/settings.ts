import { source } from '#lib/messages/catalogue.ts'
import { describeProblem } from '#lib/messages/describe-error.ts'
import {
  defaultSettings,
  readSettings,
  type RegistrationsMode,
  type SettingKey,
} from '#domain/server/instance/settings.ts'
import { parseSetting } from '#domain/server/instance/parse-setting.ts'
import { uploadNames } from '#domain/server/instance/site-uploads.ts'
import { updateSettings } from '#domain/server/instance/update-settings.ts'
import { deleteSiteUpload, setSiteUpload } from '#domain/content/media/change-site-upload.ts'
import { UsageError, type Command, type Group } from '../kit/command.ts'
import { named } from '../kit/named.ts'
import { withContext } from '../kit/with-context.ts'

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
    const wanted = {
      registrations_mode: mode,
      ...(mode === 'approved' && { require_invite_text: String(flag('require-reason')) }),
    }
    await withContext(env, ({ ctx }) => updateSettings(ctx, 'operator', wanted))
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
      throw new UsageError(`${describeProblem(parsed.problem, source)}, not ${JSON.stringify(text)}`)
    await withContext(env, ({ ctx }) => updateSettings(ctx, 'operator', { [key]: text }))
    console.log(`${key}: ${JSON.stringify(parsed.value)}`)
  },
}

const upload: Command = {
  summary: 'Gives the server a picture of its own: NAME is thumbnail, app_icon or favicon',
  args: ['NAME', '[FILE]'],
  options: { remove: { help: 'Take it away: that of the software is shown again' } },
  async run({ args: [name, file], env, flag }) {
    const known = uploadNames.find((one) => one === name)
    if (!known) throw new UsageError(`NAME is ${JSON.stringify(name)}, not ${uploadNames.join(', ')}`)
    if (flag('remove') === (file !== undefined)) throw new UsageError('Give FILE or --remove')
    await withContext(env, ({ ctx }) =>
      file === undefined
        ? named(`picture of this server's own as ${known}`, deleteSiteUpload(ctx, 'operator', known))
        : setSiteUpload(ctx, 'operator', known, file),
    )
    console.log('OK')
  },
}

export const settings: Group = {
  summary: 'Changes settings of the server',
  commands: { registrations, set, show, upload },
}
