// With what a new post begins.
import { html } from 'hono/html'
import { preferencesOf } from '#domain/identity/accounts/preferences.ts'
import { updatePreferences } from '#domain/identity/accounts/profile/update-preferences.ts'
import { getOwnProfile } from '#domain/identity/accounts/queries.ts'
import { replyPolicies, type Viewer } from '#domain/identity/accounts/viewer.ts'
import { isTicked, oneOf, renderRadios } from '#http/web/kit/controls.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { renderCheckbox, renderForm, renderSelect, textParam } from '#http/web/kit/form.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { languages, parseLanguage } from '#lib/text/language.ts'
import { leadToSaved, renderSettings } from '../settings-page.ts'
import { nameLanguage } from './name-language.ts'

const path = '/settings/preferences/posting_defaults'
const visibilities = ['public', 'unlisted', 'private'] as const
const quotePolicies = ['public', 'followers', 'nobody'] as const

async function show(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const { settings, locked } = await getOwnProfile(call.ctx, viewer.accountId)
  const preferences = preferencesOf(settings, locked)
  const named = languages
    .map(({ code }) => ({ value: code, label: nameLanguage(code, call.language) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, call.language))
  const fields = [
    renderRadios({
      name: 'default_privacy',
      label: t.posting.visibility,
      options: visibilities.map((value) => ({ value, ...t.posting.visibilities[value] })),
      value: preferences.privacy,
    }),
    renderRadios({
      name: 'default_quote_policy',
      label: t.posting.quotes,
      hint: t.posting.quotesHint,
      options: quotePolicies.map((value) => ({ value, label: t.posting.quotePolicies[value] })),
      value: preferences.quotePolicy,
    }),
    renderRadios({
      name: 'default_reply_policy',
      label: t.posting.replies,
      hint: t.posting.repliesHint,
      options: replyPolicies.map((value) => ({ value, label: t.posting.replyPolicies[value] })),
      value: preferences.replyPolicy,
    }),
    renderSelect({
      name: 'default_language',
      label: t.posting.language,
      hint: t.posting.languageHint,
      choices: [{ value: '', label: t.posting.languageOfInterface }, ...named],
      value: preferences.language ?? '',
    }),
    renderCheckbox({
      name: 'default_sensitive',
      label: t.posting.sensitive,
      hint: t.posting.sensitiveHint,
      checked: preferences.sensitive,
    }),
  ]
  const body = html`<p>${t.posting.hint}</p>
    ${renderForm(call, { action: path, fields, submit: t.save })}`
  return renderSettings(call, { title: t.places[path].name, body })
}

async function save(call: PageCall, viewer: Viewer): Promise<Response> {
  const { params } = call
  await updatePreferences(call.ctx, viewer, {
    settings: {
      default_privacy: oneOf(params, ['default_privacy'], visibilities),
      default_quote_policy: oneOf(params, ['default_quote_policy'], quotePolicies),
      default_reply_policy: oneOf(params, ['default_reply_policy'], replyPolicies),
      default_language: parseLanguage(textParam(params, 'default_language')),
      default_sensitive: isTicked(params, 'default_sensitive'),
    },
  })
  return leadToSaved(path)
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/preferences/posting_defaults', handle: forViewer(show) },
  { method: 'POST', path: '/settings/preferences/posting_defaults', handle: forViewer(save) },
]
