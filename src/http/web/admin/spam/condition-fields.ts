// What a rule against spam asks of a post, as fields of a form.
import { origins, ruleVisibilities, type Conditions } from '#domain/content/spam/conditions.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { DeskCall } from '../kit/admin-page.ts'
import { linesOf, listOf, textOf, type Entered, type Field } from '../kit/fields.ts'

const numbers = [
  'account_age_hours_below',
  'host_age_hours_below',
  'followers_below',
  'statuses_below',
  'mentions_at_least',
  'strangers_mentioned_at_least',
  'links_at_least',
  'posts_per_hour_at_least',
] as const
const lists = ['keywords', 'link_domains', 'media_hashes'] as const
const switches = ['reply', 'no_avatar'] as const

export function conditionFields(call: DeskCall): Field[] {
  const t = textsIn(call.language).pages.desk.spamRules
  const either = { value: '', label: t.either }
  return [
    {
      kind: 'choice',
      name: 'origin',
      label: t.asked.origin,
      choices: [either, ...origins.map((value) => ({ value, label: t.origins[value] }))],
    },
    ...lists.map((name): Field => ({ kind: 'area', name, label: t.asked[name], hint: t.oneALine, rows: 3 })),
    ...numbers.map((name): Field => ({ kind: 'text', name, type: 'number', label: t.asked[name] })),
    ...switches.map((name): Field => ({
      kind: 'choice',
      name,
      label: t.asked[name],
      choices: [either, { value: 'true', label: t.yes }, { value: 'false', label: t.no }],
    })),
    {
      kind: 'boxes',
      name: 'visibilities',
      label: t.asked.visibilities,
      choices: ruleVisibilities.map((value) => ({ value, label: t.visibilities[value] })),
    },
  ]
}

export const enteredOfConditions = (conditions: Conditions): Entered => ({
  origin: conditions.origin ?? '',
  ...Object.fromEntries(lists.map((name) => [name, (conditions[name] ?? []).join('\n')])),
  ...Object.fromEntries([...numbers, ...switches].map((name) => [name, String(conditions[name] ?? '')])),
  visibilities: conditions.visibilities ?? [],
})

/** The conditions as they were typed; what was left empty is not asked for. */
export function conditionsOf(entered: Entered): Record<string, unknown> {
  const typed: [string, unknown][] = [
    ...(['origin', ...numbers, ...switches] as const).map((name): [string, unknown] => [
      name,
      textOf(entered, name).trim(),
    ]),
    ...lists.map((name): [string, unknown] => [name, linesOf(entered, name)]),
    ['visibilities', listOf(entered, 'visibilities')],
  ]
  return Object.fromEntries(
    typed.filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value !== '')),
  )
}
