// What each mail says, in each language. Pure: names and links come in, paragraphs come out.
import { formatAcct } from '#lib/acct.ts'
import { cleanName } from '#lib/sanitize-name.ts'

/** What a mail is about, with all that its text needs. */
export type Letter =
  | { kind: 'confirmation'; username: string; link: string; changing: boolean }
  | { kind: 'reset'; username: string; link: string }
  | { kind: 'email-changed'; username: string; newEmail: string; done: boolean }
  | { kind: 'password-changed'; username: string; link: string }
  | {
      kind: 'sign-up-waiting'
      username: string
      waiting: { username: string; email: string; reason: string }
    }
  | { kind: 'report'; username: string; report: ReportedParts }
  | { kind: 'approved'; username: string; link: string }
  /** `days`: for which it can be downloaded; null when there is no end. */
  | { kind: 'archive-ready'; username: string; link: string; days: number | null }

interface Named {
  username: string
  domain: string | null
}

export interface ReportedParts {
  target: Named
  /** Null when they are gone. */
  reporter: Named | null
  category: string
  comment: string
  statuses: number
}

const handle = ({ username, domain }: Named) => quote(`@${formatAcct(username, domain)}`)

/** A mail before it becomes text and HTML. The link stands between the paragraphs. */
export interface Draft {
  subject: string
  before: string[]
  link?: { label: string; url: string }
  after: string[]
}

export const mailLanguages = ['en', 'de'] as const
export type MailLanguage = (typeof mailLanguages)[number]

/** The language of a user's mails: that of their locale, where there are texts in it. */
export function pickMailLanguage(locale: string): MailLanguage {
  const language = locale.toLowerCase().split('-')[0]
  return mailLanguages.find((known) => known === language) ?? 'en'
}

const firstStrongIsolate = '\u2068'
const popIsolate = '\u2069'

/** Words of somebody else inside our own: on one line, and unable to turn the direction of what follows (CNT-9). */
export function quote(text: string): string {
  return `${firstStrongIsolate}${cleanName(text)}${popIsolate}`
}

const reportCategories: Record<MailLanguage, Readonly<Record<string, string>>> = {
  en: { spam: 'spam', legal: 'against the law', violation: 'against the rules', other: 'something else' },
  de: { spam: 'Spam', legal: 'gegen das Gesetz', violation: 'gegen die Regeln', other: 'etwas anderes' },
}

type Writer = { [K in Letter['kind']]: (letter: Extract<Letter, { kind: K }>, server: string) => Draft }

const english: Writer = {
  confirmation: (letter, server) => ({
    subject: letter.changing
      ? `Confirm your new e-mail address for ${server}`
      : `Confirm your account on ${server}`,
    before: [
      letter.changing
        ? `@${letter.username} on ${server} wants to use this e-mail address from now on. Follow the link to confirm that it is yours.`
        : `Somebody made the account @${letter.username} on ${server} with this e-mail address. If it was you, follow the link to confirm it.`,
    ],
    link: { label: 'Confirm this address', url: letter.link },
    after: ['The link works for two days. If it was not you, do nothing: without the link nothing happens.'],
  }),
  reset: (letter, server) => ({
    subject: `Choose a new password for ${server}`,
    before: [
      `Somebody asked for a new password for @${letter.username} on ${server}. Follow the link to choose one.`,
    ],
    link: { label: 'Choose a new password', url: letter.link },
    after: [
      'The link works once, for six hours. If it was not you, do nothing: your password stays as it is.',
    ],
  }),
  'email-changed': (letter, server) => ({
    subject: letter.done
      ? `Your e-mail address for ${server} has been changed`
      : `Another e-mail address was asked for on ${server}`,
    before: [
      letter.done
        ? `The e-mail address of @${letter.username} on ${server} is now ${quote(letter.newEmail)}.`
        : `@${letter.username} on ${server} asked to use the address ${quote(letter.newEmail)}. It takes the place of this one once it is confirmed.`,
    ],
    after: ['If it was not you, change your password at once and write to the staff of the server.'],
  }),
  'password-changed': (letter, server) => ({
    subject: `Your password for ${server} has been changed`,
    before: [
      `The password of @${letter.username} on ${server} has been changed, and all apps have been signed out.`,
    ],
    link: { label: 'It was not me: choose a new password', url: letter.link },
    after: [],
  }),
  'sign-up-waiting': ({ waiting }, server) => ({
    subject: `@${waiting.username} waits for approval on ${server}`,
    before: [
      `@${waiting.username} (${quote(waiting.email)}) has signed up on ${server} and waits for your approval.`,
      ...(waiting.reason ? [`Their reason: ${quote(waiting.reason)}`] : []),
    ],
    after: [`To let them in from the command line: stonechat accounts approve ${waiting.username}`],
  }),
  report: ({ report }, server) => ({
    subject: `New report about ${handle(report.target)} on ${server}`,
    before: [
      `${report.reporter ? handle(report.reporter) : 'Somebody'} has reported ${handle(report.target)} (${reportCategories.en[report.category] ?? report.category}).`,
      ...(report.comment ? [`What they say: ${quote(report.comment)}`] : []),
      ...(report.statuses > 0 ? [`Posts that they name: ${report.statuses}`] : []),
    ],
    after: ['No further mails about this account come until its reports are resolved.'],
  }),
  approved: (letter, server) => ({
    subject: `Welcome to ${server}`,
    before: [`Your account @${letter.username} on ${server} has been approved. You can sign in now.`],
    link: { label: 'Sign in', url: letter.link },
    after: [],
  }),
  'archive-ready': (letter, server) => ({
    subject: `Your archive from ${server} is ready`,
    before: [`The archive of @${letter.username} on ${server} that you asked for can be downloaded now.`],
    link: { label: 'Download the archive', url: letter.link },
    after: [
      letter.days === null
        ? 'Only you can download it, after signing in.'
        : `Only you can download it, after signing in. It is deleted ${letter.days === 1 ? 'after a day' : `after ${letter.days} days`}.`,
    ],
  }),
}

const german: Writer = {
  confirmation: (letter, server) => ({
    subject: letter.changing
      ? `Bestätige deine neue E-Mail-Adresse für ${server}`
      : `Bestätige dein Konto auf ${server}`,
    before: [
      letter.changing
        ? `@${letter.username} auf ${server} möchte ab jetzt diese E-Mail-Adresse verwenden. Folge dem Link, um zu bestätigen, dass sie dir gehört.`
        : `Mit dieser E-Mail-Adresse wurde auf ${server} das Konto @${letter.username} angelegt. Wenn du das warst, folge dem Link, um es zu bestätigen.`,
    ],
    link: { label: 'Adresse bestätigen', url: letter.link },
    after: [
      'Der Link gilt zwei Tage. Warst du es nicht, musst du nichts tun: Ohne den Link geschieht nichts.',
    ],
  }),
  reset: (letter, server) => ({
    subject: `Wähle ein neues Passwort für ${server}`,
    before: [
      `Für @${letter.username} auf ${server} wurde ein neues Passwort angefordert. Folge dem Link, um eines zu wählen.`,
    ],
    link: { label: 'Neues Passwort wählen', url: letter.link },
    after: [
      'Der Link gilt einmal und sechs Stunden lang. Warst du es nicht, musst du nichts tun: Dein Passwort bleibt.',
    ],
  }),
  'email-changed': (letter, server) => ({
    subject: letter.done
      ? `Deine E-Mail-Adresse für ${server} wurde geändert`
      : `Auf ${server} wurde eine andere E-Mail-Adresse gewünscht`,
    before: [
      letter.done
        ? `Die E-Mail-Adresse von @${letter.username} auf ${server} ist jetzt ${quote(letter.newEmail)}.`
        : `@${letter.username} auf ${server} möchte die Adresse ${quote(letter.newEmail)} verwenden. Sie ersetzt diese hier, sobald sie bestätigt ist.`,
    ],
    after: ['Warst du es nicht, ändere sofort dein Passwort und schreib dem Team des Servers.'],
  }),
  'password-changed': (letter, server) => ({
    subject: `Dein Passwort für ${server} wurde geändert`,
    before: [
      `Das Passwort von @${letter.username} auf ${server} wurde geändert, und alle Apps wurden abgemeldet.`,
    ],
    link: { label: 'Ich war es nicht: neues Passwort wählen', url: letter.link },
    after: [],
  }),
  'sign-up-waiting': ({ waiting }, server) => ({
    subject: `@${waiting.username} wartet auf Freigabe auf ${server}`,
    before: [
      `@${waiting.username} (${quote(waiting.email)}) hat sich auf ${server} angemeldet und wartet auf deine Freigabe.`,
      ...(waiting.reason ? [`Die Begründung: ${quote(waiting.reason)}`] : []),
    ],
    after: [`Freigeben auf der Kommandozeile: stonechat accounts approve ${waiting.username}`],
  }),
  report: ({ report }, server) => ({
    subject: `Neue Meldung über ${handle(report.target)} auf ${server}`,
    before: [
      `${report.reporter ? handle(report.reporter) : 'Jemand'} hat ${handle(report.target)} gemeldet (${reportCategories.de[report.category] ?? report.category}).`,
      ...(report.comment ? [`Dazu heißt es: ${quote(report.comment)}`] : []),
      ...(report.statuses > 0 ? [`Genannte Beiträge: ${report.statuses}`] : []),
    ],
    after: ['Zu diesem Konto kommen keine weiteren Mails, bis seine Meldungen erledigt sind.'],
  }),
  approved: (letter, server) => ({
    subject: `Willkommen auf ${server}`,
    before: [
      `Dein Konto @${letter.username} auf ${server} wurde freigegeben. Du kannst dich jetzt anmelden.`,
    ],
    link: { label: 'Anmelden', url: letter.link },
    after: [],
  }),
  'archive-ready': (letter, server) => ({
    subject: `Dein Archiv von ${server} ist fertig`,
    before: [
      `Das Archiv von @${letter.username} auf ${server}, um das du gebeten hast, kann jetzt heruntergeladen werden.`,
    ],
    link: { label: 'Archiv herunterladen', url: letter.link },
    after: [
      letter.days === null
        ? 'Nur du kannst es herunterladen, nachdem du dich angemeldet hast.'
        : `Nur du kannst es herunterladen, nachdem du dich angemeldet hast. Nach ${letter.days === 1 ? 'einem Tag' : `${letter.days} Tagen`} wird es gelöscht.`,
    ],
  }),
}

const writers: Record<MailLanguage, Writer> = { en: english, de: german }

/** Writes the mail in this language. `server` is the domain that people know the server by. */
export function writeLetter(letter: Letter, language: MailLanguage, server: string): Draft {
  const write = writers[language][letter.kind] as (letter: Letter, server: string) => Draft
  return write(letter, server)
}
