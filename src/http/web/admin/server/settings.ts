// What the operator decides while the server runs, in parts.
import { html } from 'hono/html'
import { hasPermission } from '#domain/identity/accounts/permissions.ts'
import { setSiteUpload, deleteSiteUpload } from '#domain/content/media/change-site-upload.ts'
import { uploadNames, type UploadName } from '#domain/server/instance/site-uploads.ts'
import { readSettings, type SettingKey, type Settings } from '#domain/server/instance/settings.ts'
import { updateSettings } from '#domain/server/instance/update-settings.ts'
import { settingWords } from '#domain/server/instance/parse-setting.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewSiteUploads } from '#views/server/admin-settings.ts'
import { textParam } from '../../kit/form.ts'
import { redirectWith } from '../../kit/flash.ts'
import type { Html } from '../../kit/html.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderDesk } from '../kit/desk.ts'
import {
  attempt,
  boxed,
  fileOf,
  readEntered,
  renderFieldsForm,
  textOf,
  type Entered,
  type Field,
  type Problems,
} from '../kit/fields.ts'
import { renderAct, renderPanel } from '../kit/parts.ts'

const permission = 'manage_settings'
const path = '/admin/settings'
const upload = 8_388_608

/** How a setting is asked for. The words of those that take only some are the domain's. */
type Kind = 'line' | 'lines' | 'number' | 'box' | 'choice'

/** In parts, as Mastodon's pages have them. What retention keeps stands on its own page. */
const parts = {
  branding: { site_title: 'line', site_short_description: 'lines' },
  about: {
    site_extended_description: 'lines',
    site_contact_username: 'line',
    site_contact_email: 'line',
    status_page_url: 'line',
    site_terms: 'lines',
    show_domain_blocks: 'choice',
    show_domain_blocks_rationale: 'choice',
  },
  registrations: {
    registrations_mode: 'choice',
    closed_registrations_message: 'lines',
    require_invite_text: 'box',
    registrations_need_staff: 'box',
    sign_ups_per_day: 'number',
    min_age: 'number',
    greylist_minutes: 'number',
    bootstrap_timeline_accounts: 'lines',
  },
  discovery: {
    trends: 'box',
    trendable_by_default: 'box',
    profile_directory: 'box',
    landing_page: 'choice',
    local_live_feed_access: 'choice',
    remote_live_feed_access: 'choice',
    local_topic_feed_access: 'choice',
    remote_topic_feed_access: 'choice',
    peers_api_enabled: 'box',
    activity_api_enabled: 'box',
    noindex: 'box',
  },
  posts: {
    emoji_reactions: 'box',
    local_only_statuses: 'box',
    markdown_statuses: 'box',
    wrapstodon: 'box',
  },
  appearance: { custom_css: 'lines' },
} as const satisfies Record<string, Partial<Record<SettingKey, Kind>>>

type PartName = keyof typeof parts
const partNames = Object.keys(parts) as PartName[]
type Asked = { [Part in PartName]: keyof (typeof parts)[Part] }[PartName]

const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.settings

/** Throws `not_found`. */
function partOf(call: DeskCall): PartName {
  const given = textParam(call.params, 'part')
  const found = given === '' ? partNames[0] : partNames.find((name) => name === given)
  if (!found) throw notFound()
  return found
}

const asked = (part: PartName) => Object.entries(parts[part]) as [Asked, Kind][]

function fieldsOf(call: DeskCall, part: PartName): Field[] {
  const t = textsOf(call)
  return asked(part).map(([name, kind]): Field => {
    const told: { label: string; hint?: string } = t.keys[name]
    const common = { name, label: told.label, ...(told.hint && { hint: told.hint }) }
    switch (kind) {
      case 'line':
        return { ...common, kind: 'text' }
      case 'number':
        return { ...common, kind: 'text', type: 'number' }
      case 'lines':
        return { ...common, kind: 'area', rows: name === 'custom_css' ? 16 : 4 }
      case 'box':
        return { ...common, kind: 'box' }
      case 'choice':
        return { ...common, kind: 'choice', choices: choicesOf(call, name) }
    }
  })
}

function choicesOf(call: DeskCall, name: Asked) {
  const words: Readonly<Record<string, string>> = textsOf(call).words
  return (settingWords(name) ?? []).map((value) => ({ value, label: words[value] ?? value }))
}

const enteredOf = (part: PartName, settings: Settings): Entered =>
  Object.fromEntries(
    asked(part).map(([name]) => {
      const value = settings[name]
      return [name, typeof value === 'boolean' ? boxed(value) : String(value ?? '')]
    }),
  )

interface Shown {
  entered?: Entered
  problems?: Problems
}

async function show(call: DeskCall, { entered, problems }: Shown = {}): Promise<Response> {
  const t = textsOf(call)
  const part = partOf(call)
  const form = renderFieldsForm(call, {
    action: `${path}/${part}`,
    fields: fieldsOf(call, part),
    entered: entered ?? enteredOf(part, await readSettings(call.ctx)),
    // Those of the pictures stand at their own forms.
    problems: Object.fromEntries(
      Object.entries(problems ?? {}).filter(([name]) => !name.startsWith('file_')),
    ),
    submit: textsIn(call.language).pages.desk.common.save,
  })
  const body = html`<nav class="tabs" aria-label="${t.parts}">
      ${partNames.map(
        (name) =>
          html`<a href="${path}/${name}" ${name === part ? html`aria-current="page"` : ''}
            >${t.names[name]}</a
          >`,
      )}
      ${hasPermission(call.viewer, 'view_devops') ? html`<a href="/admin/retention">${textsIn(call.language).pages.admin.sections.retention}</a>` : ''}
    </nav>
    <div class="panel">${form}</div>
    ${part === 'branding' ? await renderUploads(call, problems) : ''}`
  return renderDesk(call, {
    title: textsIn(call.language).pages.admin.sections.settings,
    body,
    ...(problems && { status: 422 }),
  })
}

/** A box that is not ticked is not sent, and says no all the same. */
async function save(call: DeskCall): Promise<Response> {
  const part = partOf(call)
  const entered = readEntered(call, fieldsOf(call, part))
  const input = Object.fromEntries(
    asked(part).map(([name, kind]) => {
      const text = textOf(entered, name)
      return [name, kind === 'box' ? String(text === '1') : text]
    }),
  )
  const changed = await onlyChanged(call, input)
  if (Object.keys(changed).length > 0) {
    const result = await attempt(call, () => updateSettings(call.ctx, call.viewer, changed))
    if ('problems' in result) return show(call, { entered, problems: result.problems })
  }
  const text = textsIn(call.language).pages.desk.common.saved
  return redirectWith(call, `${path}/${part}`, { text })
}

/** The audit log names what somebody changed, not all that stood in the form. */
async function onlyChanged(call: DeskCall, input: Readonly<Record<string, string>>) {
  const settings: Readonly<Record<string, unknown>> = { ...(await readSettings(call.ctx)) }
  const isSame = (name: string, text: string) =>
    text.replaceAll('\r\n', '\n') === String(settings[name] ?? '').replaceAll('\r\n', '\n')
  return Object.fromEntries(Object.entries(input).filter(([name, text]) => !isSame(name, text)))
}

async function renderUploads(call: DeskCall, problems: Problems = {}): Promise<Html> {
  const t = textsOf(call)
  const uploads = await viewSiteUploads(call.ctx)
  const one = (name: UploadName) => {
    const shown = uploads[name]
    const address = `${path}/uploads/${name}`
    return renderPanel(
      t.uploads[name],
      html`${
        shown === null
          ? html`<p class="soft">${t.noUpload}</p>`
          : html`<p><img class="upload" src="${shown.url}" alt="${t.uploads[name]}" /></p>`
      }
      ${renderFieldsForm(call, {
        action: address,
        fields: [
          {
            kind: 'file',
            name: `file_${name}`,
            label: t.file,
            hint: t.fileHint,
            accept: 'image/*',
            required: true,
          },
        ],
        entered: {},
        problems: problems[`file_${name}`] ? { [`file_${name}`]: problems[`file_${name}`] ?? '' } : {},
        submit: t.upload,
      })}
      ${shown === null ? '' : renderAct(call, { action: `${address}/remove`, label: t.removeUpload })}`,
    )
  }
  return html`<div class="panels">${uploadNames.map(one)}</div>`
}

/** Throws `not_found` for a name that no picture has. */
function uploadOf(call: DeskCall): UploadName {
  const found = uploadNames.find((name) => name === textParam(call.params, 'name'))
  if (!found) throw notFound()
  return found
}

async function takeUpload(call: DeskCall): Promise<Response> {
  const name = uploadOf(call)
  const result = await attempt(call, async () => {
    const file = fileOf(call, `file_${name}`)
    if (!file) throw invalid('file', 'blank')
    await setSiteUpload(call.ctx, call.viewer, name, file.path)
  })
  if ('problems' in result)
    return show(call, { problems: { [`file_${name}`]: Object.values(result.problems).join(', ') } })
  return redirectWith(call, `${path}/branding`, { text: textsIn(call.language).pages.desk.common.saved })
}

async function removeUpload(call: DeskCall): Promise<Response> {
  await deleteSiteUpload(call.ctx, call.viewer, uploadOf(call))
  return redirectWith(call, `${path}/branding`, { text: textsOf(call).uploadRemoved })
}

export const pages = [
  adminPage({ path: '/admin/settings', permission, handle: (call) => show(call) }),
  adminPage({ path: '/admin/settings/:part', permission, handle: (call) => show(call) }),
  adminPage({ method: 'POST', path: '/admin/settings/:part', permission, handle: save }),
  adminPage({
    method: 'POST',
    path: '/admin/settings/uploads/:name',
    permission,
    upload,
    handle: takeUpload,
  }),
  adminPage({
    method: 'POST',
    path: '/admin/settings/uploads/:name/remove',
    permission,
    handle: removeUpload,
  }),
]
