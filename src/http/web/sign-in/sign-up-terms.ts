// What a new person is asked for by the ways of this server, however they come in.
import { html } from 'hono/html'
import type { OpenInvite } from '#domain/identity/sign-up-restrictions/invites.ts'
import type { ServerRule } from '#domain/server/instance/rules.ts'
import type { Settings } from '#domain/server/instance/settings.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderCheckbox, renderField, textParam } from '../kit/form.ts'
import type { Html } from '../kit/html.ts'
import type { PageCall } from '../kit/page.ts'

/** What of the server's ways holds for this one. */
export interface Terms {
  settings: Settings
  /** What is to be read before somebody agrees. */
  rules: readonly ServerRule[]
  /** The invite that they came with, if it can be used. */
  invite: OpenInvite | null
}

/** Staff look at them before they may act. */
export const wantsApproval = ({ settings, invite }: Terms): boolean =>
  settings.registrations_mode !== 'open' && !invite?.skipsApproval

/** The fields of a form for a new account that follow from these terms. */
export function renderTerms(call: PageCall, terms: Terms, problems: Record<string, string>): Html[] {
  const t = textsIn(call.language).pages.signUp
  const { settings, invite, rules } = terms
  const field = (name: string) => ({ name, value: textParam(call.params, name), problem: problems[name] })
  const fields: Html[] = []
  if (wantsApproval(terms)) {
    fields.push(
      renderField({
        ...field('reason'),
        label: t.reason,
        required: settings.require_invite_text && !invite && settings.registrations_mode === 'approved',
        maxLength: 420,
      }),
    )
  }
  if (settings.min_age !== null) {
    const hint = t.dateOfBirthHint({ years: settings.min_age })
    fields.push(renderField({ ...field('date_of_birth'), label: t.dateOfBirth, type: 'date', hint }))
  }
  const label = rules.length === 0 ? t.agreementWithoutRules : t.agreement
  const agreement = { name: 'agreement', label, required: true }
  if (rules.length > 0) fields.push(renderRules(call, rules))
  fields.push(
    renderCheckbox(problems['agreement'] ? { ...agreement, problem: problems['agreement'] } : agreement),
  )
  return fields
}

function renderRules({ language }: PageCall, rules: readonly ServerRule[]): Html {
  return html`<section class="terms" aria-labelledby="rules">
    <h2 id="rules">${textsIn(language).pages.public.rules}</h2>
    <ol>
      ${rules.map((rule) => html`<li>${(rule.translations[language] ?? rule).text}</li>`)}
    </ol>
  </section>`
}
