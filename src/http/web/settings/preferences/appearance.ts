// How pages and the app look, on all devices: kept with the login, and in the document from its first picture on.
import { html } from 'hono/html'
import { getOwnProfile } from '#domain/identity/accounts/queries.ts'
import { preferencesOf } from '#domain/identity/accounts/preferences.ts'
import type { SettingsInput } from '#domain/identity/accounts/profile/update-profile.ts'
import { updatePreferences } from '#domain/identity/accounts/profile/update-preferences.ts'
import type { UserSettings, Viewer } from '#domain/identity/accounts/viewer.ts'
import { isTicked, oneOf, renderPart, renderRadios, type Option } from '#http/web/kit/controls.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { renderCheckbox, renderForm, renderSelect, textParam } from '#http/web/kit/form.ts'
import type { Html } from '#http/web/kit/html.ts'
import { looks, type LookSetting } from '#http/web/kit/look.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { languages as interfaceLanguages, type Language } from '#lib/messages/catalogue.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { languages } from '#lib/text/language.ts'
import { leadToSaved, renderSettings } from '../settings-page.ts'
import { nameLanguage } from './name-language.ts'

const path = '/settings/preferences/appearance'

const media = ['default', 'show_all', 'hide_all'] as const

async function show(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.settings
  const { settings, locked } = await getOwnProfile(call.ctx, viewer.accountId)
  const fields = [
    renderLanguage(call, settings),
    renderLooks(call, settings),
    renderReading(call, settings, locked),
    renderLanguages(call, viewer),
  ]
  const body = html`<p>${t.appearance.hint}</p>
    ${renderForm(call, { action: path, fields, submit: t.save })}`
  return renderSettings(call, { title: t.places[path].name, body })
}

function renderLanguage({ language }: PageCall, settings: UserSettings): Html {
  const t = textsIn(language).pages.settings.appearance
  return renderSelect({
    name: 'interface_language',
    label: t.language,
    hint: t.languageHint,
    value: settings.interface_language ?? '',
    choices: [
      { value: '', label: t.languageOfBrowser },
      ...interfaceLanguages.map((code) => ({ value: code, label: nameLanguage(code, code) })),
    ],
  })
}

function renderLooks({ language }: PageCall, settings: UserSettings): Html {
  const t = textsIn(language).pages.settings.appearance
  const names = Object.keys(looks) as LookSetting[]
  return renderPart({
    id: 'look',
    title: t.look,
    fields: names.map((name) => {
      const { label, ...values } = t.looks[name]
      const options = looks[name].map((value): Option => {
        const text = value === '' ? values.usual : (values as Record<string, string>)[value]
        return { value, label: text ?? value }
      })
      return renderRadios({ name, label, options, value: settings[name] ?? '' })
    }),
  })
}

function renderReading({ language }: PageCall, settings: UserSettings, locked: boolean): Html {
  const t = textsIn(language).pages.settings.appearance
  const preferences = preferencesOf(settings, locked)
  return renderPart({
    id: 'reading',
    title: t.reading,
    fields: [
      renderRadios({
        name: 'expand_media',
        label: t.media,
        options: media.map((value) => ({ value, label: t.medias[value] })),
        value: preferences.expandMedia,
      }),
      renderCheckbox({ name: 'expand_spoilers', label: t.spoilers, checked: preferences.expandSpoilers }),
      renderCheckbox({ name: 'autoplay_gifs', label: t.animations, checked: preferences.autoplayGifs }),
    ],
  })
}

/** Those chosen stand first; what is looked for among the rest a browser finds by its first letters. */
function renderLanguages({ language }: PageCall, viewer: Viewer): Html {
  const t = textsIn(language).pages.settings.appearance
  const chosen = new Set(viewer.chosenLanguages)
  const named = languages
    .map(({ code }) => ({ code, name: nameLanguage(code, language) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, language))
  const box = ({ code, name }: { code: string; name: string }) =>
    html`<label class="check"
      ><input
        type="checkbox"
        name="chosen_languages[]"
        value="${code}"
        ${chosen.has(code) ? html`checked` : ''}
      />
      <span>${name}</span></label
    >`
  return renderPart({
    id: 'languages',
    title: t.languages,
    hint: t.languagesHint,
    fields: [
      ...named.filter(({ code }) => chosen.has(code)).map(box),
      html`<details>
        <summary>${t.moreLanguages}</summary>
        <div class="many">${named.filter(({ code }) => !chosen.has(code)).map(box)}</div>
      </details>`,
    ],
  })
}

async function save(call: PageCall, viewer: Viewer): Promise<Response> {
  const { params } = call
  const names = Object.keys(looks) as LookSetting[]
  const look = Object.fromEntries(names.map((name) => [name, oneOf(params, [name], looks[name]) || null]))
  const asked = textParam(params, 'interface_language')
  const language = interfaceLanguages.find((code) => code === asked) ?? null
  const settings: SettingsInput = {
    ...look,
    interface_language: language,
    expand_media: oneOf(params, ['expand_media'], media),
    expand_spoilers: isTicked(params, 'expand_spoilers'),
    autoplay_gifs: isTicked(params, 'autoplay_gifs'),
  }
  const sent = params['chosen_languages']
  const chosenLanguages = Array.isArray(sent) ? sent.filter((code) => typeof code === 'string') : []
  const locale: { locale?: Language } = language === null ? {} : { locale: language }
  await updatePreferences(call.ctx, viewer, { settings, chosenLanguages, ...locale })
  return leadToSaved(path)
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/preferences/appearance', handle: forViewer(show) },
  { method: 'POST', path: '/settings/preferences/appearance', handle: forViewer(save) },
]
