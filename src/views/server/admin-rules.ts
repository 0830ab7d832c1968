import type { AdminRule, AdminTerms } from '#entities/admin/server.ts'
import type { FullRule } from '#domain/server/instance/rules.ts'
import type { TermsRow } from '#domain/server/instance/terms.ts'
import { formatTime } from '#lib/time/time.ts'
import { renderRule } from './instance-texts.ts'

const timeOrNull = (time: Date | null) => (time === null ? null : formatTime(time))

/** Rule (https://docs.joinmastodon.org/entities/Rule/), with what staff need to put rules in order. */
export function renderAdminRule(rule: FullRule): AdminRule {
  return {
    ...renderRule(rule),
    priority: rule.priority,
    created_at: formatTime(rule.created_at),
    updated_at: formatTime(rule.updated_at),
  }
}

/** A version of the terms of service, or a draft. */
export function renderAdminTerms(terms: TermsRow): AdminTerms {
  return {
    id: terms.id,
    text: terms.text,
    changelog: terms.changelog,
    effective_date: terms.day,
    published: terms.published_at !== null,
    published_at: timeOrNull(terms.published_at),
    notified_at: timeOrNull(terms.notified_at),
    created_at: formatTime(terms.created_at),
    updated_at: formatTime(terms.updated_at),
  }
}
