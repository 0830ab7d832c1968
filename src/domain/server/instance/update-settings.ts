import type { Ctx } from '#ports/ctx.ts'
import { recordActions, type Staff } from '#domain/server/audit/record.ts'
import { invalid, type ErrorDetails } from '#lib/errors.ts'
import { truncatePlain } from '#lib/text/text.ts'
import { parseSetting } from './parse-setting.ts'
import {
  defaultSettings,
  forgetSettings,
  readSettings,
  writeSettings,
  type SettingKey,
  type Settings,
} from './settings.ts'

/** Characters of a value that the audit log keeps. */
const keptCharacters = 200

/**
 * Changes settings, all or none of them, and answers all there are. Values are as somebody wrote them. Throws `invalid`
 * with `details` for each setting that there is not or that takes no such value.
 */
export async function updateSettings(
  ctx: Ctx,
  staff: Staff,
  input: Readonly<Record<string, string>>,
): Promise<Settings> {
  const values = parseAll(input)
  await ctx.transaction(async (tx) => {
    const before = await readSettings(tx)
    await writeSettings(tx, values)
    await recordActions(
      tx,
      staff,
      (Object.keys(values) as SettingKey[]).map((key) => ({
        action: 'update',
        targetType: 'setting',
        label: key,
        details: { from: brief(before[key]), to: brief(values[key]) },
      })),
    )
  })
  forgetSettings(ctx)
  return readSettings(ctx)
}

function parseAll(input: Readonly<Record<string, string>>): Partial<Settings> {
  const values: Partial<Record<SettingKey, unknown>> = {}
  const details: ErrorDetails = {}
  for (const [key, text] of Object.entries(input)) {
    const parsed = isSetting(key) ? parseSetting(key, text) : { problem: 'no setting of this name' }
    if ('problem' in parsed) {
      const description = isSetting(key) ? `must be ${parsed.problem}` : 'is not a setting'
      details[key] = [{ error: 'ERR_INVALID', description }]
    } else values[key as SettingKey] = parsed.value
  }
  const problems = Object.entries(details).map(([key, [first]]) => `${key} ${first?.description}`)
  if (problems.length > 0) throw invalid(`Validation failed: ${problems.join(', ')}`, details)
  if (Object.keys(values).length === 0) throw invalid('Validation failed: There is no setting to change')
  return values as Partial<Settings>
}

const isSetting = (key: string): key is SettingKey => Object.hasOwn(defaultSettings, key)

const brief = (value: unknown) => (typeof value === 'string' ? truncatePlain(value, keptCharacters) : value)
