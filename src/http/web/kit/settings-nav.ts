// What stands beside a page of settings: the way to all others, and the search among them.
import { html } from 'hono/html'
import type { Language } from '#lib/messages/catalogue.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { Html } from './html.ts'
import { findPlace, listPlaces, settingsPath, type SettingsReader } from './settings-places.ts'

/** The field by which settings are looked for. It works without scripts: the answer is a page. */
export function renderSettingsSearch(language: Language, asked = ''): Html {
  const t = textsIn(language).pages.settings
  return html`<form class="find" role="search" method="get" action="${settingsPath}" aria-label="${t.search}">
    <input type="search" name="q" value="${asked}" placeholder="${t.search}" aria-label="${t.search}" />
    <button type="submit" class="quiet">${t.find}</button>
  </form>`
}

/** Links to all pages of settings, for the page at this path if it is one of them or belongs to one. */
export function renderSettingsNav(reader: SettingsReader, language: Language, here: string): Html | string {
  const current = findPlace(here)
  if (current === null) return ''
  const t = textsIn(language).pages.settings
  return html`<nav class="settings" aria-label="${t.label}">
    <a class="back" href="${settingsPath}">${t.all}</a>
    ${renderSettingsSearch(language)}
    ${listPlaces(reader, language).map(
      (group) =>
        html`<p>${group.name}</p>
          <ul>
            ${group.places.map(
              ({ path, name }) =>
                html`<li>
                  <a href="${path}" ${path === current ? html`aria-current="page"` : ''}>${name}</a>
                </li>`,
            )}
          </ul>`,
    )}
  </nav>`
}
