// The one list of the pages on which people look after their login and account.
import { html } from 'hono/html'
import { catalogue, type Html, type Language } from './texts.ts'

const navTexts = catalogue({
  en: {
    label: 'Settings',
    '/auth/edit': 'Address and password',
    '/settings/two-factor': 'Second factor',
    '/settings/sessions': 'Signed in',
    '/oauth/authorized_applications': 'Authorised apps',
    '/settings/notifications': 'Mails',
    '/settings/followers': 'Followers',
    '/settings/imports': 'Bring data along',
    '/settings/export': 'Take data along',
    '/statuses_cleanup': 'Old posts',
    '/disputes/strikes': 'Decisions of the staff',
    '/settings/migration': 'Move',
    '/settings/delete': 'Delete the account',
  },
  de: {
    label: 'Einstellungen',
    '/auth/edit': 'Adresse und Passwort',
    '/settings/two-factor': 'Zweiter Faktor',
    '/settings/sessions': 'Angemeldet',
    '/oauth/authorized_applications': 'Autorisierte Apps',
    '/settings/notifications': 'Mails',
    '/settings/followers': 'Folgende',
    '/settings/imports': 'Daten mitbringen',
    '/settings/export': 'Daten mitnehmen',
    '/statuses_cleanup': 'Alte Beiträge',
    '/disputes/strikes': 'Entscheidungen des Teams',
    '/settings/migration': 'Umziehen',
    '/settings/delete': 'Konto löschen',
  },
})

const paths = [
  '/auth/edit',
  '/settings/two-factor',
  '/settings/sessions',
  '/oauth/authorized_applications',
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
  const t = navTexts(language)
  return html`<nav class="settings" aria-label="${t.label}">
    ${paths.map((path) =>
      path === current
        ? html`<a href="${path}" aria-current="page">${t[path]}</a>`
        : html`<a href="${path}">${t[path]}</a>`,
    )}
  </nav>`
}
