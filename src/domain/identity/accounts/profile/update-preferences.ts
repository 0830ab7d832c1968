// What somebody prefers besides their profile: how pages look, in which language, and which languages they want to read.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { parseLanguage } from '#lib/text/language.ts'
import { updateSettings, type SettingsInput } from './update-profile.ts'
import type { Viewer } from '../viewer.ts'

/** What is left out stays as it is. */
export interface PreferencesInput {
  settings?: SettingsInput | undefined
  /** Of posts in public timelines and trends, as codes; unknown ones are left out. None: all languages. */
  chosenLanguages?: readonly string[] | undefined
  /** Of mails and notifications. */
  locale?: string | undefined
}

/** Changes preferences of the viewer's login. Idempotent. */
export async function updatePreferences(ctx: Ctx, viewer: Viewer, input: PreferencesInput): Promise<void> {
  const { chosenLanguages, locale, settings } = input
  await ctx.transaction(async (tx) => {
    if (settings) await updateSettings(tx, viewer.userId, settings)
    if (chosenLanguages) {
      const codes = new Set(chosenLanguages.map(parseLanguage).filter((code) => code !== null))
      await sql`
        update users set chosen_languages = ${codes.size === 0 ? null : [...codes]}::text[]
        where id = ${viewer.userId}`.execute(tx.db)
    }
    if (locale !== undefined)
      await sql`update users set locale = ${locale} where id = ${viewer.userId}`.execute(tx.db)
  })
}
