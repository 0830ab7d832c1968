import { catalogue } from '#http/web/kit/texts.ts'

export const archiveTexts = catalogue({
  en: {
    exportTitle: 'Everything you wrote',
    exportHint:
      'An archive of your profile, your posts with their media, and what you like and keep. Other servers can read it. Making it takes a while: you get a mail when it is ready.',
    request: 'Make an archive',
    later: (day: string) => `You can ask for the next archive on ${day}.`,
    states: {
      scheduled: 'waiting',
      in_progress: 'being made',
      finished: 'ready',
      failed: 'could not be made: ask for it again',
    },
    expired: 'deleted',
    until: (day: string) => `until ${day}`,
    download: 'Download archive',
    importTitle: 'Posts from another server',
    importHint:
      'An archive that you downloaded on another server (.zip or .tar.gz). Your posts come in with their dates, media, polls and threads. Nobody is told, and nothing is sent to other servers.',
    importFile: 'Archive',
    upload: 'Upload the archive',
    busy: 'Another archive is waiting or being imported. Wait until that is done.',
    noFile: 'Choose an archive.',
    archive: 'Archive',
    confirmHint: (name: string) => `Import the posts of ${name}?`,
    confirmMore:
      'Posts that are here already stay as they are. Boosts, quotes of other people and private mentions of people who are not known here are left out.',
    imported: (n: number) => `${n} imported`,
    skipped: {
      boost: (n: number) => `${n} boosts left out`,
      quote: (n: number) => `${n} quotes left out`,
      direct: (n: number) => `${n} private mentions left out`,
      other: (n: number) => `${n} that are no posts left out`,
      present: (n: number) => `${n} were here already`,
    },
  },
  de: {
    exportTitle: 'Alles, was du geschrieben hast',
    exportHint:
      'Ein Archiv deines Profils, deiner Beiträge mit ihren Medien und dessen, was du favorisiert und gemerkt hast. Andere Server können es lesen. Es braucht eine Weile: Du bekommst eine Mail, wenn es fertig ist.',
    request: 'Archiv erstellen',
    later: (day: string) => `Um das nächste Archiv kannst du am ${day} bitten.`,
    states: {
      scheduled: 'wartet',
      in_progress: 'wird erstellt',
      finished: 'fertig',
      failed: 'ging nicht: bitte noch einmal darum',
    },
    expired: 'gelöscht',
    until: (day: string) => `bis ${day}`,
    download: 'Archiv herunterladen',
    importTitle: 'Beiträge von einem anderen Server',
    importHint:
      'Ein Archiv, das du auf einem anderen Server heruntergeladen hast (.zip oder .tar.gz). Deine Beiträge kommen mit Datum, Medien, Umfragen und Fäden. Niemand wird benachrichtigt, und nichts geht an andere Server.',
    importFile: 'Archiv',
    upload: 'Archiv hochladen',
    busy: 'Ein anderes Archiv wartet oder wird gerade importiert. Warte, bis es fertig ist.',
    noFile: 'Wähle ein Archiv.',
    archive: 'Archiv',
    confirmHint: (name: string) => `Die Beiträge aus ${name} importieren?`,
    confirmMore:
      'Beiträge, die es hier schon gibt, bleiben, wie sie sind. Geteiltes, Zitate anderer und private Nachrichten an Leute, die hier unbekannt sind, bleiben fort.',
    imported: (n: number) => `${n} importiert`,
    skipped: {
      boost: (n: number) => `${n} geteilte weggelassen`,
      quote: (n: number) => `${n} Zitate weggelassen`,
      direct: (n: number) => `${n} private Nachrichten weggelassen`,
      other: (n: number) => `${n}, die keine Beiträge sind, weggelassen`,
      present: (n: number) => `${n} gab es hier schon`,
    },
  },
})
