// The one list of the pages on which people look after their login and account.
import { html } from 'hono/html'
import type { Language } from '#lib/messages/catalogue.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { Html } from './html.ts'

const paths = [
  '/auth/edit',
  '/settings/two-factor',
  '/settings/sessions',
  '/oauth/authorized_applications',
  '/settings/applications',
  '/settings/notifications',
  '/settings/followers',
  '/settings/imports',
  '/settings/export',
  '/statuses_cleanup',
  '/disputes/strikes',
  '/settings/migration',
  '/settings/delete',
] as const

/** Links to all pages of settings, for the page at this path if it is one of them or belongs to one. */
export function renderSettingsNav(language: Language, here: string): Html | string {
  const current = paths.find((path) => here === path || here.startsWith(`${path}/`))
  if (current === undefined) return ''
  const t = textsIn(language).pages.settingsNav
  return html`<nav class="settings" aria-label="${t.label}">
    ${paths.map((path) =>
      path === current
        ? html`<a href="${path}" aria-current="page">${t[path]}</a>`
        : html`<a href="${path}">${t[path]}</a>`,
    )}
  </nav>`
}
