import type { MailKind } from '#domain/identity/accounts/mail-settings.ts'
import { catalogue } from '../kit/texts.ts'

/** What a switch is called in settings, and what its mails are called on the page that stops them. */
type KindTexts = Record<MailKind, { when: string; mails: string }>

const english: KindTexts = {
  mention: { when: 'Somebody mentions me', mails: 'mails about mentions' },
  quote: { when: 'Somebody quotes my post', mails: 'mails about quotes' },
  follow: { when: 'Somebody follows me', mails: 'mails about new followers' },
  follow_request: { when: 'Somebody asks to follow me', mails: 'mails about requests to follow' },
  reblog: { when: 'Somebody boosts my post', mails: 'mails about boosts' },
  favourite: { when: 'Somebody likes my post', mails: 'mails about likes' },
  digest: {
    when: 'What I missed, once a week, when I have been away for that long',
    mails: 'mails about what you missed',
  },
  report: { when: 'A new report', mails: 'mails about reports' },
  pending_account: { when: 'Somebody waits for approval', mails: 'mails about people who wait for approval' },
  appeal: { when: 'Somebody objects to a decision', mails: 'mails about objections' },
}

const german: KindTexts = {
  mention: { when: 'Jemand erwähnt mich', mails: 'Mails über Erwähnungen' },
  quote: { when: 'Jemand zitiert meinen Beitrag', mails: 'Mails über Zitate' },
  follow: { when: 'Jemand folgt mir', mails: 'Mails über neue Folgende' },
  follow_request: { when: 'Jemand möchte mir folgen', mails: 'Mails über Folgeanfragen' },
  reblog: { when: 'Jemand teilt meinen Beitrag', mails: 'Mails über geteilte Beiträge' },
  favourite: { when: 'Jemandem gefällt mein Beitrag', mails: 'Mails über Favoriten' },
  digest: {
    when: 'Was ich verpasst habe, einmal die Woche, wenn ich so lange weg war',
    mails: 'Mails über Verpasstes',
  },
  report: { when: 'Eine neue Meldung', mails: 'Mails über Meldungen' },
  pending_account: { when: 'Jemand wartet auf Freigabe', mails: 'Mails über wartende Anmeldungen' },
  appeal: { when: 'Jemand widerspricht einer Entscheidung', mails: 'Mails über Widersprüche' },
}

export const mailSettingsTexts = catalogue({
  en: {
    kinds: english,
    title: 'Which mails you get',
    hint: 'Mails about your account, such as a new password, always come.',
    always: 'Send these mails also while I am here or my apps show notifications',
    save: 'Save',
    saved: 'Saved.',
    stopTitle: 'No more mails?',
    stop: (mails: string, server: string) => `You will get no more ${mails} from ${server}.`,
    stopNow: 'Stop these mails',
    stoppedTitle: 'Stopped',
    stopped: (mails: string, server: string) => `You get no more ${mails} from ${server}.`,
    toSettings: 'Choose which mails you get',
  },
  de: {
    kinds: german,
    title: 'Welche Mails du bekommst',
    hint: 'Mails zu deinem Konto, etwa zu einem neuen Passwort, kommen immer.',
    always: 'Diese Mails auch schicken, während ich da bin oder meine Apps Mitteilungen zeigen',
    save: 'Speichern',
    saved: 'Gespeichert.',
    stopTitle: 'Keine Mails mehr?',
    stop: (mails: string, server: string) => `Du bekommst dann keine ${mails} von ${server} mehr.`,
    stopNow: 'Diese Mails abbestellen',
    stoppedTitle: 'Abbestellt',
    stopped: (mails: string, server: string) => `Du bekommst keine ${mails} von ${server} mehr.`,
    toSettings: 'Wähle, welche Mails du bekommst',
  },
})
