import { catalogue } from '../kit/texts.ts'

export const signInTexts = catalogue({
  en: {
    title: 'Sign in',
    name: 'E-mail address or username',
    password: 'Password',
    wrong: 'There is no login with this name and password.',
    forgotten: 'Forgot your password?',
    noMail: 'The confirmation mail did not arrive?',
    noAccount: 'No account yet? Create one',
    unconfirmed: 'Your e-mail address is not confirmed yet. Follow the link in the mail that we sent you.',
    resend: 'Send the mail again',
    pending:
      'Your account waits for approval by the staff of this server. You get a mail when it is decided.',
    disabled: 'This login has been disabled by the staff of this server.',
    factorless: 'Your role demands a second factor. Set one up first.',
    passkey: 'Sign in with a passkey',
    goOn: 'Sign in to go on.',
  },
  de: {
    title: 'Anmelden',
    name: 'E-Mail-Adresse oder Benutzername',
    password: 'Passwort',
    wrong: 'Es gibt keine Anmeldung mit diesem Namen und Passwort.',
    forgotten: 'Passwort vergessen?',
    noMail: 'Die Bestätigungsmail ist nicht angekommen?',
    noAccount: 'Noch kein Konto? Leg eines an',
    unconfirmed:
      'Deine E-Mail-Adresse ist noch nicht bestätigt. Folge dem Link in der Mail, die wir dir geschickt haben.',
    resend: 'Mail noch einmal senden',
    pending:
      'Dein Konto wartet auf die Freigabe durch das Team dieses Servers. Du bekommst eine Mail, sobald entschieden ist.',
    disabled: 'Diese Anmeldung wurde vom Team dieses Servers gesperrt.',
    factorless: 'Deine Rolle verlangt einen zweiten Faktor. Richte zuerst einen ein.',
    passkey: 'Mit einem Passkey anmelden',
    goOn: 'Melde dich an, um fortzufahren.',
  },
})
