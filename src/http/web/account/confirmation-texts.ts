import { catalogue } from '../kit/texts.ts'

export const confirmationTexts = catalogue({
  en: {
    title: 'Confirm your e-mail address',
    email: 'E-mail address',
    resend: 'Send the mail again',
    asked: 'If an account waits for the confirmation of this address, a mail with a link is on its way.',
    invalid: 'This link has been used or is too old. You can ask for a new one here.',
    confirmedTitle: 'Your address is confirmed',
    confirmed: 'Welcome! Your account is ready.',
    pending: 'Now the staff of this server look at your application. You get a mail when it is decided.',
    changedTitle: 'Your address has been changed',
    changed: 'From now on your mails come to the new address.',
    signIn: 'Sign in',
    home: 'Go on',
    setupTitle: 'Look into your mailbox',
    setup: 'We have sent you a mail with a link. Follow it to confirm your address.',
    correct: 'No mail? Look into the spam folder, correct the address, or have the mail sent again.',
    sentAgain: (email: string) => `The mail is on its way to ${email}.`,
  },
  de: {
    title: 'Bestätige deine E-Mail-Adresse',
    email: 'E-Mail-Adresse',
    resend: 'Mail noch einmal senden',
    asked:
      'Wenn ein Konto auf die Bestätigung dieser Adresse wartet, ist eine Mail mit einem Link unterwegs.',
    invalid: 'Dieser Link wurde schon benutzt oder ist zu alt. Hier kannst du einen neuen anfordern.',
    confirmedTitle: 'Deine Adresse ist bestätigt',
    confirmed: 'Willkommen! Dein Konto ist bereit.',
    pending:
      'Jetzt sieht sich das Team dieses Servers deine Anmeldung an. Du bekommst eine Mail, sobald entschieden ist.',
    changedTitle: 'Deine Adresse wurde geändert',
    changed: 'Ab jetzt kommen deine Mails an die neue Adresse.',
    signIn: 'Anmelden',
    home: 'Weiter',
    setupTitle: 'Sieh in dein Postfach',
    setup: 'Wir haben dir eine Mail mit einem Link geschickt. Folge ihm, um deine Adresse zu bestätigen.',
    correct:
      'Keine Mail? Sieh im Spam-Ordner nach, verbessere die Adresse oder lass die Mail noch einmal senden.',
    sentAgain: (email: string) => `Die Mail an ${email} ist unterwegs.`,
  },
})
