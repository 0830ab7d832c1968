import { catalogue } from '../kit/texts.ts'

export const sessionsTexts = catalogue({
  en: {
    title: 'Where you are signed in',
    hint: 'These browsers are signed in. If you do not know one, end it and change your password.',
    here: 'This browser',
    unknown: 'Unknown browser',
    on: (browser: string, system: string) => `${browser} on ${system}`,
    signedIn: (day: string) => `signed in ${day}`,
    seen: (time: string) => `last seen ${time}`,
    end: 'Sign out',
    endOthers: 'Sign out all others',
    none: 'Nowhere else are you signed in.',
    apps: 'Apps have their own list:',
  },
  de: {
    title: 'Wo du angemeldet bist',
    hint: 'Diese Browser sind angemeldet. Kennst du einen nicht, melde ihn ab und ändere dein Passwort.',
    here: 'Dieser Browser',
    unknown: 'Unbekannter Browser',
    on: (browser: string, system: string) => `${browser} auf ${system}`,
    signedIn: (day: string) => `angemeldet ${day}`,
    seen: (time: string) => `zuletzt da ${time}`,
    end: 'Abmelden',
    endOthers: 'Alle anderen abmelden',
    none: 'Sonst bist du nirgends angemeldet.',
    apps: 'Apps haben ihre eigene Liste:',
  },
})
