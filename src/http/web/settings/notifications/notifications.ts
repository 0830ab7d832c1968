// What tells somebody that something happened: mails, from whom notifications are wanted at all, and devices.
import { html } from 'hono/html'
import { mailKindsFor, updateMailSettings, wantsMail } from '#domain/identity/accounts/mail-settings.ts'
import type { UserSettings, Viewer } from '#domain/identity/accounts/viewer.ts'
import {
  findPolicy,
  policyValues,
  updatePolicy,
  type PolicyRule,
} from '#domain/reading/notifications/policy.ts'
import { browserUrl } from '#http/web/kit/assets.ts'
import { isTicked, oneOf, renderPart } from '#http/web/kit/controls.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { renderCheckbox, renderForm, renderSelect } from '#http/web/kit/form.ts'
import type { Html } from '#http/web/kit/html.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { leadToSaved, renderSettings } from '../settings-page.ts'
import { renderDevices } from './devices.ts'
import { renderThisBrowser } from './this-browser.ts'

const path = '/settings/notifications'
const policyPath = '/settings/notifications/policy'
const always = 'always_send_emails'

async function show(
  call: PageCall,
  viewer: Viewer,
  settings: UserSettings,
  saved = false,
): Promise<Response> {
  const t = textsIn(call.language).pages
  const notice = saved ? html`<p class="notice good" role="status">${t.settings.saved}</p>` : ''
  const body = html`${notice} ${await renderPolicy(call, viewer)} ${renderMails(call, viewer, settings)}
  ${renderThisBrowser(call)} ${await renderDevices(call, viewer)}`
  return renderSettings(call, { title: t.settings.places[path].name, body, script: browserUrl })
}

async function renderPolicy(call: PageCall, viewer: Viewer): Promise<Html> {
  const t = textsIn(call.language).pages.settings
  const policy = await findPolicy(call.ctx, viewer.accountId)
  const rules = Object.keys(t.policy.rules) as PolicyRule[]
  const choices = policyValues.map((value) => ({ value, label: t.policy.values[value] }))
  const fields = rules.map((name) =>
    renderSelect({ name, label: t.policy.rules[name], value: policy[name], choices }),
  )
  return renderPart({
    id: 'policy',
    title: t.policy.title,
    hint: html`${t.policy.hint} <a href="/notifications/requests">${t.policy.requests}</a>`,
    fields: [renderForm(call, { action: policyPath, fields, submit: t.save })],
  })
}

function renderMails(call: PageCall, viewer: Viewer, settings: UserSettings): Html {
  const t = textsIn(call.language).pages
  const kinds = mailKindsFor(viewer).map((kind) =>
    renderCheckbox({
      name: `notification_emails[${kind}]`,
      label: t.mailSettings.kinds[kind].when,
      checked: wantsMail(settings, kind),
    }),
  )
  const regardless = renderCheckbox({
    name: always,
    label: t.mailSettings.always,
    checked: settings.always_send_emails ?? false,
  })
  return renderPart({
    id: 'mails',
    title: t.mailSettings.title,
    hint: t.mailSettings.hint,
    fields: [renderForm(call, { action: path, fields: [...kinds, regardless], submit: t.settings.save })],
  })
}

/** Boxes that are not ticked are not sent. */
async function saveMails(call: PageCall, viewer: Viewer): Promise<Response> {
  const { params } = call
  const kinds = Object.fromEntries(
    mailKindsFor(viewer).map((kind) => [kind, isTicked(params, 'notification_emails', kind)]),
  )
  await updateMailSettings(call.ctx, viewer.userId, { kinds, always: isTicked(params, always) })
  const settings = { notification_emails: kinds, always_send_emails: isTicked(params, always) }
  return show(call, viewer, settings, true)
}

async function savePolicy(call: PageCall, viewer: Viewer): Promise<Response> {
  const rules = Object.keys(textsIn(call.language).pages.settings.policy.rules) as PolicyRule[]
  const changes = rules.map((rule) => [rule, oneOf(call.params, [rule], policyValues)])
  await updatePolicy(call.ctx, viewer, Object.fromEntries(changes))
  return leadToSaved(path)
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  {
    method: 'GET',
    path: '/settings/notifications',
    handle: forViewer((call, viewer) => show(call, viewer, viewer.settings)),
  },
  { method: 'POST', path: '/settings/notifications', handle: forViewer(saveMails) },
  { method: 'POST', path: '/settings/notifications/policy', handle: forViewer(savePolicy) },
]
