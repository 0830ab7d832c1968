import { catalogue } from '../kit/texts.ts'

export const authorizeTexts = catalogue({
  en: {
    title: (app: string) => `Allow ${app}?`,
    asks: (app: string, account: string) =>
      `${app} wants to use your account @${account}. It would be able to:`,
    nothing: 'Know that you have an account here',
    beware: 'Anyone can give an app any name. Allow it only if you just came from it yourself.',
    returns: (where: string) => `Afterwards you are sent to ${where}.`,
    allow: 'Allow',
    deny: 'Refuse',
    codeTitle: 'Your code',
    codeHint: 'Copy this code and paste it into the app. It works once, for ten minutes.',
    sendTitle: 'Back to the app',
    sendHint: 'The app gets its answer now.',
    send: 'Go on',
    badTitle: 'This app made a mistake',
    badHint: 'Go back to the app and try again. If it happens again, tell the people who make it:',
    deniedHere: 'You refused. The app got nothing.',
    appsTitle: 'Authorised apps',
    appsNone: 'No app has access to your account.',
    appsHint: 'These apps may use your account. Take back what you no longer need.',
    since: (day: string) => `since ${day}`,
    lastUsed: (day: string) => `last used ${day}`,
    neverUsed: 'never used',
    revoke: 'Take back',
  },
  de: {
    title: (app: string) => `${app} erlauben?`,
    asks: (app: string, account: string) =>
      `${app} möchte dein Konto @${account} benutzen. Damit könnte die App:`,
    nothing: 'Wissen, dass du hier ein Konto hast',
    beware: 'Jeder kann einer App jeden Namen geben. Erlaube es nur, wenn du gerade selbst von ihr kommst.',
    returns: (where: string) => `Danach geht es weiter zu ${where}.`,
    allow: 'Erlauben',
    deny: 'Ablehnen',
    codeTitle: 'Dein Code',
    codeHint: 'Kopiere diesen Code und füge ihn in der App ein. Er gilt einmal, zehn Minuten lang.',
    sendTitle: 'Zurück zur App',
    sendHint: 'Die App bekommt jetzt ihre Antwort.',
    send: 'Weiter',
    badTitle: 'Diese App hat einen Fehler gemacht',
    badHint:
      'Geh zurück zur App und versuche es noch einmal. Passiert es wieder, sag denen Bescheid, die sie machen:',
    deniedHere: 'Du hast abgelehnt. Die App hat nichts bekommen.',
    appsTitle: 'Autorisierte Apps',
    appsNone: 'Keine App hat Zugriff auf dein Konto.',
    appsHint: 'Diese Apps dürfen dein Konto benutzen. Nimm zurück, was du nicht mehr brauchst.',
    since: (day: string) => `seit ${day}`,
    lastUsed: (day: string) => `zuletzt benutzt ${day}`,
    neverUsed: 'nie benutzt',
    revoke: 'Zurücknehmen',
  },
})

const areas = catalogue<Record<string, string>>({
  en: {
    accounts: 'account and profile',
    blocks: 'blocks',
    bookmarks: 'bookmarks',
    canonical_email_blocks: 'blocked e-mail addresses',
    collections: 'collections',
    conversations: 'conversations',
    domain_allows: 'allowed servers',
    domain_blocks: 'blocked servers',
    email_domain_blocks: 'blocked e-mail providers',
    favourites: 'favourites',
    filters: 'filters',
    follows: 'follows',
    ip_blocks: 'blocked IP addresses',
    lists: 'lists',
    media: 'pictures and videos',
    mutes: 'mutes',
    notifications: 'notifications',
    reports: 'reports',
    search: 'search',
    statuses: 'posts',
  },
  de: {
    accounts: 'Konto und Profil',
    blocks: 'Blockierungen',
    bookmarks: 'Lesezeichen',
    canonical_email_blocks: 'gesperrte E-Mail-Adressen',
    collections: 'Sammlungen',
    conversations: 'Unterhaltungen',
    domain_allows: 'erlaubte Server',
    domain_blocks: 'gesperrte Server',
    email_domain_blocks: 'gesperrte E-Mail-Anbieter',
    favourites: 'Favoriten',
    filters: 'Filter',
    follows: 'Folgen',
    ip_blocks: 'gesperrte IP-Adressen',
    lists: 'Listen',
    media: 'Bilder und Videos',
    mutes: 'Stummschaltungen',
    notifications: 'Mitteilungen',
    reports: 'Meldungen',
    search: 'Suche',
    statuses: 'Beiträge',
  },
})

const whole = catalogue<Record<string, string>>({
  en: {
    profile: 'See your name and picture',
    read: 'Read everything in your account',
    write: 'Post and change everything in your account',
    follow: 'See and change whom you follow, mute and block',
    push: 'Get your notifications',
    offline_access: 'Keep this access while you are away',
    'admin:read': 'As staff: read everything on this server, private data too',
    'admin:write': 'As staff: change everything on this server',
  },
  de: {
    profile: 'Deinen Namen und dein Bild sehen',
    read: 'Alles in deinem Konto lesen',
    write: 'In deinem Namen schreiben und alles in deinem Konto ändern',
    follow: 'Sehen und ändern, wem du folgst, wen du stummschaltest und blockierst',
    push: 'Deine Mitteilungen bekommen',
    offline_access: 'Diesen Zugriff behalten, während du weg bist',
    'admin:read': 'Als Team: alles auf diesem Server lesen, auch private Daten',
    'admin:write': 'Als Team: alles auf diesem Server ändern',
  },
})

const parts = catalogue<Record<string, (area: string) => string>>({
  en: {
    read: (area) => `Read: ${area}`,
    write: (area) => `Change: ${area}`,
    'admin:read': (area) => `As staff, read: ${area}`,
    'admin:write': (area) => `As staff, change: ${area}`,
  },
  de: {
    read: (area) => `Lesen: ${area}`,
    write: (area) => `Ändern: ${area}`,
    'admin:read': (area) => `Als Team lesen: ${area}`,
    'admin:write': (area) => `Als Team ändern: ${area}`,
  },
})

/** What a scope means, for people. */
export function scopeText(language: Parameters<typeof areas>[0], scope: string): string {
  const sentence = whole(language)[scope]
  if (sentence !== undefined) return sentence
  const colon = scope.lastIndexOf(':')
  const area = areas(language)[scope.slice(colon + 1)] ?? scope
  return parts(language)[scope.slice(0, colon)]?.(area) ?? scope
}
