// The words of the pages. Each group of pages has a catalogue of its own, with every text in every language.
import type { HtmlEscapedString } from 'hono/utils/html'
import type { Language } from '#http/kit/params/language.ts'

export type { Language } from '#http/kit/params/language.ts'

/** What a template or a part of a page is. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>

/** Texts by language. A text is a string, or a function of what it names. */
export function catalogue<T extends Record<string, unknown>>(
  texts: Record<Language, T>,
): (language: Language) => T {
  return (language) => texts[language]
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
