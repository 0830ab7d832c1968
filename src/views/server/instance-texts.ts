import type { ExtendedDescription, PrivacyPolicy, TermsOfService } from '#entities/instance/facts.ts'
import type { Rule } from '#entities/instance/rule.ts'
import type { Config, Ctx } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import { renderText } from '#lib/html/render-text.ts'
import { formatTime } from '#lib/time/time.ts'
import { source, type Language } from '#lib/messages/catalogue.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { findSettingTime, findTerms } from '#domain/server/instance/document.ts'
import type { ServerRule } from '#domain/server/instance/rules.ts'
import { getSettings } from '#domain/server/instance/settings.ts'

/** Rule (https://docs.joinmastodon.org/entities/Rule/). */
export function renderRule(rule: ServerRule): Rule {
  return { id: rule.id, text: rule.text, hint: rule.hint, translations: rule.translations }
}

/** ExtendedDescription: with nothing set, exactly an empty text and no time. */
export async function viewExtendedDescription(ctx: Ctx): Promise<ExtendedDescription> {
  const { site_extended_description: content } = await getSettings(ctx)
  const time = content === '' ? null : await findSettingTime(ctx, 'site_extended_description')
  return { content, updated_at: time === null ? null : formatTime(time) }
}

const defaultPolicyTime = '2026-01-01T00:00:00.000Z'
/** What the software does, where the operator says nothing. */
const defaultPolicy = [
  ['h2', 'keptTitle'],
  ['p', 'keptAccount'],
  ['p', 'keptPosts'],
  ['h2', 'seenTitle'],
  ['p', 'seenPublic'],
  ['p', 'seenOthers'],
  ['h2', 'durationTitle'],
  ['p', 'duration'],
  ['h2', 'neverTitle'],
  ['p', 'never'],
] as const

function renderPolicy(language: Language): string {
  const { privacyPolicy } = textsIn(language)
  return defaultPolicy.map(([tag, key]) => `<${tag}>${privacyPolicy[key]}</${tag}>`).join('')
}

/** PrivacyPolicy: the operator's own text (HTML), or one that says what the software does, in this language. */
export async function viewPrivacyPolicy(ctx: Ctx, language: Language = source): Promise<PrivacyPolicy> {
  const { site_terms: own } = await getSettings(ctx)
  const time = own === '' ? null : await findSettingTime(ctx, 'site_terms')
  return {
    updated_at: time === null ? defaultPolicyTime : formatTime(time),
    content: own || renderPolicy(language),
  }
}

/** The text of terms of service as HTML. */
export const renderTermsText = (config: Config, text: string): string =>
  renderText(text, { mentionUrl: () => null, tagUrl: () => config.baseUrl })

/** TermsOfService: those in force, or of the given day. Throws `not_found`. */
export async function viewTerms(ctx: Ctx, date?: string): Promise<TermsOfService> {
  const terms = await findTerms(ctx, date)
  if (!terms) throw notFound()
  return {
    effective_date: terms.effectiveDate,
    effective: terms.effective,
    content: renderTermsText(ctx.config, terms.text),
    succeeded_by: terms.succeededBy,
  }
}
