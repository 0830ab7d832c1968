import { catalogue } from '../kit/texts.ts'

export const deleteTexts = catalogue({
  en: {
    title: 'Delete the account',
    what: (acct: string) =>
      `This deletes @${acct} with all its posts, pictures, follows and messages. Other servers are told to do the same, but nobody can make them. Nothing of it can be brought back, and nobody will ever get the name again, not even you.`,
    archive: 'Ask for an archive first',
    password: 'Current password',
    wrong: 'This is not your password',
    submit: 'Delete for ever',
    done: 'Your account is deleted',
    doneHint: 'What it had is being removed now. You are signed out.',
  },
  de: {
    title: 'Konto löschen',
    what: (acct: string) =>
      `Damit wird @${acct} gelöscht, mit allen Beiträgen, Bildern, Folgen und Nachrichten. Andere Server werden gebeten, das Gleiche zu tun, doch zwingen kann sie niemand. Nichts davon lässt sich zurückholen, und den Namen bekommt nie wieder jemand, auch du nicht.`,
    archive: 'Vorher ein Archiv anfordern',
    password: 'Derzeitiges Passwort',
    wrong: 'Das ist nicht dein Passwort',
    submit: 'Für immer löschen',
    done: 'Dein Konto ist gelöscht',
    doneHint: 'Was es hatte, wird jetzt entfernt. Du bist abgemeldet.',
  },
})
