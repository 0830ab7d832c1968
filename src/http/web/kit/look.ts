// How somebody wants all pages and the app to look: attributes of the document, which the tokens of client/tokens.css and
// the app's styles go by, so that the first picture is right already.
import { html } from 'hono/html'
import type { UserSettings } from '#domain/identity/accounts/viewer.ts'
import { directionOf } from '#lib/text/direction.ts'
import type { Html } from './html.ts'
import { themeColors } from './tokens.ts'

/** Each by the name of its attribute; all others are of the system's choice. */
const attributes = {
  theme: 'data-theme',
  contrast: 'data-contrast',
  motion: 'data-motion',
  density: 'data-density',
  text_size: 'data-text',
  columns: 'data-columns',
} as const satisfies { [K in keyof UserSettings]?: string }

export type LookSetting = keyof typeof attributes

/** What may be chosen; '' is as the system has it. */
export const looks = {
  theme: ['', 'light', 'dark'],
  contrast: ['', 'more'],
  text_size: ['', 'large', 'larger'],
  density: ['', 'compact'],
  motion: ['', 'less'],
  columns: ['', 'one'],
} as const satisfies { [K in LookSetting]: readonly ['', ...NonNullable<UserSettings[K]>[]] }

/** Returns the look that a query names, each setting by its attribute without `data-`; what is none is left out. */
export function readLook(query: Readonly<Record<string, string>>): UserSettings {
  const names = Object.keys(looks) as LookSetting[]
  const chosen = names.flatMap((name) => {
    const asked = query[attributes[name].slice('data-'.length)] ?? ''
    const value = looks[name].find((one) => one === asked)
    return value ? [[name, value]] : []
  })
  return Object.fromEntries(chosen) as UserSettings
}

interface Root {
  language: string
  settings: UserSettings | undefined
}

/** Returns the attributes of the `html` element. */
export function renderRoot({ language, settings }: Root): Html {
  const names = Object.keys(attributes) as LookSetting[]
  const chosen = names.flatMap((name) => {
    const value = settings?.[name]
    return value === undefined ? [] : [html` ${attributes[name]}="${value}"`]
  })
  return html`lang="${language}" dir="${directionOf(language)}"${chosen}`
}

/** What browsers paint around the page. */
export function renderThemeColors(settings: UserSettings | undefined): Html {
  const theme = settings?.theme
  if (theme) return html`<meta name="theme-color" content="${themeColors[theme]}" />`
  return html`<meta name="theme-color" content="${themeColors.light}" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="${themeColors.dark}" media="(prefers-color-scheme: dark)" />`
}
