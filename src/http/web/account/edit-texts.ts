import { catalogue } from '../kit/texts.ts'

export const editTexts = catalogue({
  en: {
    title: 'E-mail address and password',
    emailTitle: 'E-mail address',
    email: 'New e-mail address',
    emailNow: (email: string) => `Your address is ${email}.`,
    emailWaiting: (email: string) =>
      `${email} waits for confirmation: follow the link in the mail that went there.`,
    current: 'Current password',
    changeEmail: 'Change the address',
    emailAskedTitle: 'Look into your mailbox',
    emailAsked: 'The new address counts once you have followed the link in the mail that we sent there.',
    passwordTitle: 'Password',
    password: 'New password',
    passwordHint: 'At least 8 characters. All apps and other browsers will be signed out.',
    changePassword: 'Change the password',
    changedTitle: 'Your password has been changed',
    changed: 'All apps and other browsers have been signed out.',
    back: 'Back',
  },
  de: {
    title: 'E-Mail-Adresse und Passwort',
    emailTitle: 'E-Mail-Adresse',
    email: 'Neue E-Mail-Adresse',
    emailNow: (email: string) => `Deine Adresse ist ${email}.`,
    emailWaiting: (email: string) =>
      `${email} wartet auf Bestätigung: Folge dem Link in der Mail, die dorthin ging.`,
    current: 'Aktuelles Passwort',
    changeEmail: 'Adresse ändern',
    emailAskedTitle: 'Sieh in dein Postfach',
    emailAsked:
      'Die neue Adresse gilt, sobald du dem Link in der Mail folgst, die wir dorthin geschickt haben.',
    passwordTitle: 'Passwort',
    password: 'Neues Passwort',
    passwordHint: 'Mindestens 8 Zeichen. Alle Apps und anderen Browser werden abgemeldet.',
    changePassword: 'Passwort ändern',
    changedTitle: 'Dein Passwort wurde geändert',
    changed: 'Alle Apps und anderen Browser wurden abgemeldet.',
    back: 'Zurück',
  },
})
