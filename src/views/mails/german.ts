// What each mail says in German.
import {
  countMissed as upTo,
  handle,
  named,
  quote,
  quotedBy,
  quotedPost,
  type Decisions,
  type FactorTexts,
  type NewsTexts,
  type Writer,
} from './mails.ts'
import { readUserAgent } from '#lib/net/user-agent.ts'

const reportCategories: Readonly<Record<string, string>> = {
  spam: 'Spam',
  legal: 'gegen das Gesetz',
  violation: 'gegen die Regeln',
  other: 'etwas anderes',
}

const newsTexts: NewsTexts = {
  mention: { did: 'hat dich erwähnt', link: 'Lesen und antworten' },
  quote: { did: 'hat deinen Beitrag zitiert', link: 'Lesen' },
  follow: { did: 'folgt dir jetzt', link: 'Profil ansehen' },
  follow_request: { did: 'möchte dir folgen', link: 'Profil ansehen' },
  reblog: { did: 'hat deinen Beitrag geteilt', link: 'Deinen Beitrag ansehen' },
  favourite: { did: 'gefällt dein Beitrag', link: 'Deinen Beitrag ansehen' },
}

const decisions: Decisions = {
  none: {
    subject: 'Verwarnung',
    told: (name, server) => `Das Team von ${server} hat @${name} verwarnt.`,
  },
  disable: {
    subject: 'Konto gesperrt',
    told: (name, server) =>
      `Das Team von ${server} hat @${name} gesperrt: Du kannst dich jetzt nicht anmelden. Was du geschrieben hast, bleibt.`,
  },
  mark_statuses_as_sensitive: {
    subject: 'Beiträge als heikel markiert',
    told: (name, server) => `Das Team von ${server} hat Beiträge von @${name} als heikel markiert.`,
  },
  delete_statuses: {
    subject: 'Beiträge gelöscht',
    told: (name, server) => `Das Team von ${server} hat Beiträge von @${name} gelöscht.`,
  },
  sensitive: {
    subject: 'Medien als heikel markiert',
    told: (name, server) =>
      `Bilder und Filme von @${name} auf ${server} werden ab jetzt als heikel markiert.`,
  },
  silence: {
    subject: 'Konto eingeschränkt',
    told: (name, server) =>
      `Das Team von ${server} hat @${name} eingeschränkt: Nur wer dir schon folgt, sieht deine Beiträge in seinen Timelines.`,
  },
  suspend: {
    subject: 'Konto stillgelegt',
    told: (name, server) =>
      `Das Team von ${server} hat @${name} stillgelegt: Niemand sieht mehr das Profil und seine Beiträge.`,
  },
}

const factorTexts: FactorTexts = {
  'otp-added': {
    subject: 'Anmeldung mit Codes eingeschaltet',
    told: (name, server) =>
      `Ab jetzt meldet sich @${name} auf ${server} mit dem Passwort und einem Code aus einer App an.`,
  },
  'otp-removed': {
    subject: 'Anmeldung mit Codes ausgeschaltet',
    told: (name, server) => `@${name} auf ${server} meldet sich nicht mehr mit einem Code aus einer App an.`,
  },
  'passkey-added': {
    subject: 'Neuer Passkey',
    told: (name, server, passkey) =>
      `@${name} auf ${server} kann sich mit einem neuen Passkey anmelden: ${passkey}.`,
  },
  'passkey-removed': {
    subject: 'Passkey entfernt',
    told: (name, server, passkey) => `Ein Passkey von @${name} auf ${server} wurde entfernt: ${passkey}.`,
  },
  'recovery-codes-renewed': {
    subject: 'Neue Wiederherstellungscodes',
    told: (name, server) =>
      `Für @${name} auf ${server} wurden neue Wiederherstellungscodes gemacht. Die früheren gelten nicht mehr.`,
  },
  'recovery-code-used': {
    subject: 'Ein Wiederherstellungscode wurde benutzt',
    told: (name, server) =>
      `Jemand hat einen Wiederherstellungscode von @${name} auf ${server} benutzt. Er gilt nicht noch einmal.`,
  },
  'codes-guessed': {
    subject: 'Viele falsche Codes bei der Anmeldung',
    told: (name, server) =>
      `Jemand hat das richtige Passwort von @${name} auf ${server} eingegeben und danach zu viele falsche Codes. Wer immer es war, kennt das Passwort.`,
  },
  'all-removed': {
    subject: 'Zweiter Faktor entfernt',
    told: (name, server) =>
      `Das Team von ${server} hat alle zweiten Faktoren von @${name} entfernt: Zum Anmelden genügt jetzt das Passwort.`,
  },
}

function describeBrowser(userAgent: string): string {
  const { browser, system } = readUserAgent(userAgent)
  if (browser && system) return `${browser} auf ${system}`
  return browser ?? system ?? 'unbekannt'
}

export const german: Writer = {
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
      `${report.reporter ? handle(report.reporter) : 'Jemand'} hat ${handle(report.target)} gemeldet (${reportCategories[report.category] ?? report.category}).`,
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
  'approval-required': (letter, server) => ({
    subject: `Anmeldungen auf ${server} brauchen jetzt eine Freigabe`,
    before: [
      `Auf ${server} war eine Woche lang niemand zu sehen, der sich um neue Leute kümmert. Damit der Server nicht dem Spam offen steht, wartet jetzt auf Freigabe, wer sich anmeldet.`,
    ],
    after: [
      'Um ihn wieder zu öffnen: stonechat settings registrations open',
      `Das geht an alle, die sich um ${server} kümmern, wie @${letter.username}.`,
    ],
  }),
  'scheduled-status-refused': ({ post, time, username }, server) => ({
    subject: `Dein geplanter Beitrag auf ${server} wurde nicht veröffentlicht`,
    before: [
      `Ein Beitrag, den @${username} für ${time} geplant hatte, konnte nicht veröffentlicht werden und ist nicht mehr geplant. Der Grund: ${quote(post.reason)}`,
      { quoted: post.text, ...(post.warning && { warning: post.warning }) },
    ],
    after: [
      'Wenn er doch erscheinen soll, schreib ihn neu. Seine Bilder und Dateien bleiben eine Woche erhalten.',
    ],
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
  terms: (letter, server) => ({
    subject: `Die Nutzungsbedingungen von ${server} ändern sich`,
    before: [
      letter.isInForce
        ? `Hallo @${letter.username}, es gibt neue Nutzungsbedingungen von ${server}. Sie gelten ab dem ${letter.day}.`
        : `Hallo @${letter.username}, ab dem ${letter.day} gelten neue Nutzungsbedingungen von ${server}.`,
      ...(letter.changelog === '' ? [] : ['Was sich ändert:', { quoted: letter.changelog }]),
    ],
    link: { label: 'Bedingungen lesen', url: letter.link },
    after: [
      `Wenn du ${server} ab diesem Tag nutzt, stimmst du ihnen zu. Bist du nicht einverstanden, kannst du dein Konto vorher löschen.`,
    ],
  }),
  welcome: (letter, server) => ({
    subject: `Willkommen auf ${server}`,
    before: [
      `Deine Adresse ist bestätigt, und @${letter.username} gehört dir. Andere finden dich als @${letter.username}@${server}.`,
      'Schreib ein paar Worte über dich in dein Profil, folge ein paar Leuten und schreib deinen ersten Beitrag, mit jeder App, die mit Mastodon funktioniert.',
    ],
    link: { label: 'Anmelden', url: letter.link },
    after: [],
  }),
  'new-sign-in': (letter, server) => ({
    subject: `Neue Anmeldung bei deinem Konto auf ${server}`,
    before: [
      `Jemand hat sich als @${letter.username} auf ${server} von einem Ort angemeldet, von dem du dich noch nie angemeldet hast.`,
      {
        facts: [
          ['Zeit', letter.time],
          ['Adresse', quote(letter.address)],
          ['Browser', describeBrowser(letter.userAgent)],
        ],
      },
      'Warst du es, musst du nichts tun. Warst du es nicht, ändere sofort dein Passwort: Damit werden alle anderen abgemeldet.',
    ],
    link: { label: 'Passwort ändern', url: letter.link },
    after: [],
  }),
  'second-factor': (letter, server) => ({
    subject: `${factorTexts[letter.change].subject}: @${letter.username} auf ${server}`,
    before: [factorTexts[letter.change].told(letter.username, server, quote(letter.name ?? ''))],
    link: { label: 'Zweite Faktoren ansehen', url: letter.link },
    after: ['Warst du es nicht, ändere sofort dein Passwort und schreib dem Team des Servers.'],
  }),
  warning: (letter, server) => ({
    subject: `${decisions[letter.warning.action]?.subject ?? 'Nachricht vom Team'}: @${letter.username} auf ${server}`,
    before: [
      decisions[letter.warning.action]?.told(letter.username, server) ??
        `Das Team von ${server} schreibt dir wegen @${letter.username}.`,
      ...(letter.warning.text ? ['Dazu heißt es:', { quoted: letter.warning.text }] : []),
      ...(letter.warning.statuses > 0 ? [`Betroffene Beiträge: ${letter.warning.statuses}`] : []),
    ],
    link: { label: 'Ansehen, worum es geht, oder widersprechen', url: letter.link },
    after: [
      `Hältst du das für einen Irrtum, kannst du dort einmal widersprechen, bis zum ${letter.until}. Das kann jeder, der den Link hat: Gib ihn nicht weiter.`,
    ],
  }),
  appeal: ({ warning }, server) => ({
    subject: `@${warning.username} widerspricht einer Entscheidung auf ${server}`,
    before: [
      `@${warning.username} widerspricht der Entscheidung vom ${warning.day}: ${decisions[warning.action]?.subject ?? warning.action}.`,
      ...(warning.appeal ? ['Dazu heißt es:', { quoted: warning.appeal }] : []),
    ],
    after: [],
  }),
  'appeal-answered': (letter, server) => ({
    subject: letter.approved
      ? `Deinem Widerspruch auf ${server} wurde stattgegeben`
      : `Dein Widerspruch auf ${server} wurde abgelehnt`,
    before: [
      letter.approved
        ? `Deinem Widerspruch gegen die Entscheidung vom ${letter.warning.day} über @${letter.username} auf ${server} wurde stattgegeben: Sie gilt nicht mehr.`
        : `Dein Widerspruch gegen die Entscheidung vom ${letter.warning.day} über @${letter.username} auf ${server} wurde abgelehnt: Sie gilt weiter.`,
    ],
    after: [],
  }),
  news: ({ news, link }, server) => ({
    subject: `${handle(news.from)} ${newsTexts[news.kind].did} (${server})`,
    before: [`${named(news.from)} ${newsTexts[news.kind].did}.`, ...quotedPost(news.status)],
    link: { label: newsTexts[news.kind].link, url: link },
    after: [],
  }),
  digest: ({ missed, link, username }, server) => ({
    subject: `Was du auf ${server} verpasst hast`,
    before: [
      `Das ist auf ${server} geschehen, während @${username} weg war.`,
      ...(missed.mentionsCount > 0
        ? [
            `${upTo(missed.mentionsCount)} ${missed.mentionsCount === 1 ? 'Beitrag erwähnt' : 'Beiträge erwähnen'} dich:`,
          ]
        : []),
      ...missed.mentions.flatMap((news) => quotedBy(news)),
      ...(missed.followersCount > 0
        ? [
            `${upTo(missed.followersCount)} ${missed.followersCount === 1 ? 'Person folgt' : 'Personen folgen'} dir jetzt${missed.followersCount > missed.followers.length ? ', darunter ' : ': '}${missed.followers.map(named).join(', ')}.`,
          ]
        : []),
    ],
    link: { label: 'Alles ansehen', url: link },
    after: [],
  }),
}
