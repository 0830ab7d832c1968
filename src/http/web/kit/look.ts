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
