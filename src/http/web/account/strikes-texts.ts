import { catalogue } from '../kit/texts.ts'

/** What staff may decide, by the name of the action. */
type Decisions = Record<string, { title: string; told: string }>

const english: Decisions = {
  none: { title: 'Warning', told: 'The staff warned you.' },
  disable: { title: 'Login shut', told: 'You cannot sign in. What you wrote stays.' },
  mark_statuses_as_sensitive: {
    title: 'Posts marked as sensitive',
    told: 'The staff marked posts of yours as sensitive.',
  },
  delete_statuses: { title: 'Posts deleted', told: 'The staff deleted posts of yours.' },
  sensitive: { title: 'Media marked as sensitive', told: 'Your pictures and films are marked as sensitive.' },
  silence: {
    title: 'Account limited',
    told: 'Only those who follow you already see your posts in their timelines.',
  },
  suspend: { title: 'Account suspended', told: 'Nobody sees your profile and your posts any more.' },
}

const german: Decisions = {
  none: { title: 'Verwarnung', told: 'Das Team hat dich verwarnt.' },
  disable: {
    title: 'Anmeldung gesperrt',
    told: 'Du kannst dich nicht anmelden. Was du geschrieben hast, bleibt.',
  },
  mark_statuses_as_sensitive: {
    title: 'Beiträge als heikel markiert',
    told: 'Das Team hat Beiträge von dir als heikel markiert.',
  },
  delete_statuses: { title: 'Beiträge gelöscht', told: 'Das Team hat Beiträge von dir gelöscht.' },
  sensitive: {
    title: 'Medien als heikel markiert',
    told: 'Deine Bilder und Filme werden als heikel markiert.',
  },
  silence: {
    title: 'Konto eingeschränkt',
    told: 'Nur wer dir schon folgt, sieht deine Beiträge in seinen Timelines.',
  },
  suspend: { title: 'Konto stillgelegt', told: 'Niemand sieht mehr dein Profil und deine Beiträge.' },
}

export const strikesTexts = catalogue({
  en: {
    decisions: english,
    title: 'Decisions of the staff',
    hint: (acct: string) => `What the staff of this server decided about @${acct}.`,
    none: 'There are none.',
    older: 'Older ones',
    all: 'All decisions',
    says: 'What the staff say',
    category: { spam: 'Spam', legal: 'Against the law' } as Record<string, string>,
    why: 'Why',
    rules: 'Rules that it is about',
    posts: 'Posts that it is about',
    gone: 'They are no longer there.',
    attachments: (n: number) => (n === 1 ? '1 attachment' : `${n} attachments`),
    openPost: 'Open the post',
    overruled: 'The staff took this back: it no longer holds.',
    appealTitle: 'Object',
    appealHint: (until: string) =>
      `If you think that this is a mistake, say why. You can do this once, until ${until}.`,
    words: 'Why it is a mistake',
    most: (n: number) => `At most ${n} characters`,
    submit: 'Send',
    yours: 'Your objection',
    states: {
      pending: 'The staff have not decided about your objection yet.',
      approved: 'Your objection was accepted.',
      rejected: 'Your objection was rejected: the decision holds.',
    },
    badges: { pending: 'Objection waits', approved: 'Objection accepted', rejected: 'Objection rejected' },
    late: 'It is too late to object to this.',
    problems: {
      blank: 'Say why it is a mistake.',
      long: (n: number) => `At most ${n} characters, please.`,
      other: 'This objection could not be taken: there is one already, or it is too late.',
    },
  },
  de: {
    decisions: german,
    title: 'Entscheidungen des Teams',
    hint: (acct: string) => `Was das Team dieses Servers über @${acct} entschieden hat.`,
    none: 'Es gibt keine.',
    older: 'Ältere',
    all: 'Alle Entscheidungen',
    says: 'Was das Team dazu sagt',
    category: { spam: 'Spam', legal: 'Gegen das Gesetz' } as Record<string, string>,
    why: 'Warum',
    rules: 'Regeln, um die es geht',
    posts: 'Beiträge, um die es geht',
    gone: 'Sie sind nicht mehr da.',
    attachments: (n: number) => (n === 1 ? '1 Anhang' : `${n} Anhänge`),
    openPost: 'Beitrag öffnen',
    overruled: 'Das Team hat dies zurückgenommen: Es gilt nicht mehr.',
    appealTitle: 'Widersprechen',
    appealHint: (until: string) =>
      `Hältst du das für einen Irrtum, dann sag, warum. Das geht einmal, bis zum ${until}.`,
    words: 'Warum es ein Irrtum ist',
    most: (n: number) => `Höchstens ${n} Zeichen`,
    submit: 'Absenden',
    yours: 'Dein Widerspruch',
    states: {
      pending: 'Das Team hat über deinen Widerspruch noch nicht entschieden.',
      approved: 'Deinem Widerspruch wurde stattgegeben.',
      rejected: 'Dein Widerspruch wurde abgelehnt: Die Entscheidung gilt.',
    },
    badges: {
      pending: 'Widerspruch wartet',
      approved: 'Widerspruch angenommen',
      rejected: 'Widerspruch abgelehnt',
    },
    late: 'Für einen Widerspruch ist es zu spät.',
    problems: {
      blank: 'Sag, warum es ein Irrtum ist.',
      long: (n: number) => `Bitte höchstens ${n} Zeichen.`,
      other: 'Dieser Widerspruch wurde nicht angenommen: Es gibt schon einen, oder es ist zu spät.',
    },
  },
})
