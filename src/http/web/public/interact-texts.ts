import { catalogue } from '../kit/texts.ts'

export const interactTexts = catalogue({
  en: {
    title: 'Go on from here',
    hint: (name: string) => `You are signed in as @${name}.`,
    follow: 'Follow',
    following: 'You follow this account already, or have asked to.',
    favourite: 'Favourite',
    boost: 'Boost',
    done: 'Done',
    asked: 'You follow this account, or have asked to. Its posts come to your home timeline.',
    did: 'The author is told.',
    missingTitle: 'Nothing found',
    missing:
      'Nothing that can be shown here was found at this address. Its server may be away, or not reachable from here.',
  },
  de: {
    title: 'Von hier aus weiter',
    hint: (name: string) => `Du bist als @${name} angemeldet.`,
    follow: 'Folgen',
    following: 'Du folgst diesem Konto schon oder hast darum gebeten.',
    favourite: 'Favorisieren',
    boost: 'Teilen',
    done: 'Erledigt',
    asked: 'Du folgst diesem Konto oder hast darum gebeten. Seine Beiträge kommen in deine Startseite.',
    did: 'Wer den Beitrag schrieb, erfährt davon.',
    missingTitle: 'Nichts gefunden',
    missing:
      'Unter dieser Adresse wurde nichts gefunden, das hier gezeigt werden kann. Vielleicht ist der Server fort oder von hier nicht erreichbar.',
  },
})
