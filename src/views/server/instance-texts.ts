import type { ExtendedDescription, PrivacyPolicy, TermsOfService } from '#entities/instance/facts.ts'
import type { Rule } from '#entities/instance/rule.ts'
import type { Ctx } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import { renderText } from '#lib/html/render-text.ts'
import { formatTime } from '#lib/time/time.ts'
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
const defaultPolicy = {
  en: [
    ['h2', 'What is kept'],
    ['p', 'Your account: name, e-mail address, a hash of the password, the address you signed up from.'],
    [
      'p',
      'What you publish: posts, pictures, profile, whom you follow, what you favourite, boost and bookmark.',
    ],
    ['h2', 'Who sees it'],
    ['p', 'Public posts are seen by everyone and are sent to the servers of those who follow you.'],
    [
      'p',
      'Posts to followers or to mentioned people are sent to their servers, whose operators can read them.',
    ],
    ['h2', 'For how long'],
    [
      'p',
      'Until you delete it. Other servers are asked to delete their copies; whether they do is up to them.',
    ],
    ['h2', 'What is not done'],
    ['p', 'Your data is not sold, and it is given to nobody but as said above or where the law demands it.'],
  ],
  de: [
    ['h2', 'Was gespeichert wird'],
    [
      'p',
      'Dein Konto: Name, E-Mail-Adresse, eine Prüfsumme des Passworts und die Adresse, von der aus du dich angemeldet hast.',
    ],
    [
      'p',
      'Was du veröffentlichst: Beiträge, Bilder, dein Profil, wem du folgst, was du favorisierst, teilst und dir merkst.',
    ],
    ['h2', 'Wer es sieht'],
    ['p', 'Öffentliche Beiträge sehen alle, und sie gehen an die Server derer, die dir folgen.'],
    [
      'p',
      'Beiträge an Follower oder Erwähnte gehen an deren Server, und wer diese betreibt, kann sie lesen.',
    ],
    ['h2', 'Wie lange'],
    [
      'p',
      'Bis du es löschst. Andere Server werden gebeten, ihre Kopien zu löschen; ob sie es tun, liegt bei ihnen.',
    ],
    ['h2', 'Was nicht geschieht'],
    [
      'p',
      'Deine Daten werden nicht verkauft und niemandem gegeben, außer wie oben gesagt oder wo das Gesetz es verlangt.',
    ],
  ],
} as const

const renderPolicy = (language: keyof typeof defaultPolicy) =>
  defaultPolicy[language].map(([tag, text]) => `<${tag}>${text}</${tag}>`).join('')

/** PrivacyPolicy: the operator's own text (HTML), or one that says what the software does, in this language. */
export async function viewPrivacyPolicy(
  ctx: Ctx,
  language: keyof typeof defaultPolicy = 'en',
): Promise<PrivacyPolicy> {
  const { site_terms: own } = await getSettings(ctx)
  const time = own === '' ? null : await findSettingTime(ctx, 'site_terms')
  return {
    updated_at: time === null ? defaultPolicyTime : formatTime(time),
    content: own || renderPolicy(language),
  }
}

/** TermsOfService: those in force, or of the given day. Throws `not_found`. */
export async function viewTerms(ctx: Ctx, date?: string): Promise<TermsOfService> {
  const terms = await findTerms(ctx, date)
  if (!terms) throw notFound()
  return {
    effective_date: terms.effectiveDate,
    effective: terms.effective,
    content: renderText(terms.text, { mentionUrl: () => null, tagUrl: () => ctx.config.baseUrl }),
    succeeded_by: terms.succeededBy,
  }
}
