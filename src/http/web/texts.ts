// The words of the pages. Each group of pages has a catalogue of its own, with every text in every language.
import type { HtmlEscapedString } from 'hono/utils/html'

/** What a template or a part of a page is. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** Texts by language. A text is a string, or a function of what it names. */
export function catalogue<T extends Record<string, unknown>>(
  texts: Record<Language, T>,
): (language: Language) => T {
  return (language) => texts[language]
}

/** The language of a page: `?lang=` first, then what the browser prefers (RFC 9110 section 12.5.4), then English. */
export function pickLanguage(asked: string | null, acceptLanguage: string | null): Language {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .slice(0, 20)
    .map(parsePreference)
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
  for (const tag of asked ? [asked, ...wanted] : wanted) {
    const known = languages.find((language) => language === tag.toLowerCase().split(/[-_]/)[0])
    if (known) return known
  }
  return 'en'
}

function parsePreference(item: string): { tag: string; quality: number } {
  const [tag = '', ...parameters] = item.split(';').map((part) => part.trim())
  const written = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = written === undefined ? 1 : Number(written.slice(2))
  return { tag, quality: Number.isNaN(quality) ? 0 : quality }
}

/** Texts that every page may need. */
export const commonTexts = catalogue({
  en: {
    signIn: 'Sign in',
    signUp: 'Create an account',
    signInFirst: 'Sign in first.',
    signOut: 'Sign out',
    signedInAs: (name: string) => `Signed in as @${name}`,
    home: 'Home',
    apps: 'Authorised apps',
    settings: 'Settings',
    errorTitle: 'That did not work',
    tooMany: 'Too many attempts. Wait a few minutes and try again.',
    notFound: 'This page does not exist.',
    gone: 'This page was here, and is gone for good.',
    stale: 'This form is too old or came from another site. Go back, reload the page and try again.',
    broken: 'Something broke on our side. Try again in a moment.',
  },
  de: {
    signIn: 'Anmelden',
    signUp: 'Konto erstellen',
    signInFirst: 'Melde dich zuerst an.',
    signOut: 'Abmelden',
    signedInAs: (name: string) => `Angemeldet als @${name}`,
    home: 'Startseite',
    apps: 'Autorisierte Apps',
    settings: 'Einstellungen',
    errorTitle: 'Das hat nicht geklappt',
    tooMany: 'Zu viele Versuche. Warte ein paar Minuten und versuche es noch einmal.',
    notFound: 'Diese Seite gibt es nicht.',
    gone: 'Diese Seite gab es, und sie ist für immer fort.',
    stale:
      'Dieses Formular ist zu alt oder kam von einer anderen Seite. Geh zurück, lade neu und versuche es noch einmal.',
    broken: 'Bei uns ist etwas schiefgegangen. Versuche es gleich noch einmal.',
  },
})
