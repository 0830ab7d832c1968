import type { Ctx } from '#ports/ctx.ts'
import { recordActions, type Staff } from '#domain/server/audit/record.ts'
import { invalid, invalidForm, type ProblemCode } from '#lib/errors.ts'
import type { Problem } from '#lib/messages/describe-error.ts'
import { truncatePlain } from '#lib/text/text.ts'
import { parseSetting } from './parse-setting.ts'
import { defaultSettings, readSettings, writeSettings, type SettingKey, type Settings } from './settings.ts'

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
  const values = checkSettings(input)
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
  return readSettings(ctx)
}

/** What values as somebody wrote them would be. Throws `invalid` as `updateSettings`. */
export function checkSettings(input: Readonly<Record<string, string>>): Partial<Settings> {
  const values: Partial<Record<SettingKey, unknown>> = {}
  const problems: Problem[] = []
  for (const [key, text] of Object.entries(input)) {
    const parsed = isSetting(key) ? parseSetting(key, text) : { problem: noSetting(key) }
    if ('problem' in parsed)
      problems.push({ ...parsed.problem, detail: { field: key, error: 'ERR_INVALID' } })
    else values[key as SettingKey] = parsed.value
  }
  if (problems.length > 0) throw invalidForm(problems)
  if (Object.keys(values).length === 0) throw invalid('base', 'no_setting')
  return values as Partial<Settings>
}

const noSetting = (key: string): Problem => ({ field: key, code: 'not_a_setting' satisfies ProblemCode })

const isSetting = (key: string): key is SettingKey => Object.hasOwn(defaultSettings, key)

const brief = <T>(value: T) => (typeof value === 'string' ? truncatePlain(value, keptCharacters) : value)
