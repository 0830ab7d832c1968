// What a push message says first, in each language. Pure.
import { pickMailLanguage } from '../mails/mails.ts'

export interface Told {
  /** Of whoever caused it, on one line. */
  name: string
  /** It is about oneself: nobody else caused it. */
  own: boolean
  subject: Subject
}

/** What of a notification's subject stands in a title. */
interface Subject {
  readonly collection?: { readonly name: string }
  readonly annual_report?: { readonly year: string }
  readonly event?: { readonly target_name: string }
  readonly emoji?: string
}

type Titles = Readonly<Record<string, (told: Told) => string>>

const collectionOf = (subject: Subject) => subject.collection?.name
const yearOf = (subject: Subject) => subject.annual_report?.year
const lostOf = (subject: Subject) => subject.event?.target_name

const english: Titles = {
  mention: ({ name }) => `${name} mentioned you`,
  status: ({ name }) => `${name} just posted`,
  reblog: ({ name }) => `${name} boosted your post`,
  follow: ({ name }) => `${name} follows you now`,
  follow_request: ({ name }) => `${name} wants to follow you`,
  favourite: ({ name }) => `${name} favourited your post`,
  poll: ({ name, own }) => (own ? 'Your poll has ended' : `A poll by ${name} has ended`),
  update: ({ name }) => `${name} edited a post`,
  quote: ({ name }) => `${name} quoted your post`,
  quoted_update: ({ name }) => `${name} edited a post that you quoted`,
  'admin.sign_up': ({ name }) => `${name} signed up`,
  'admin.report': ({ name }) => `${name} sent a report`,
  severed_relationships: ({ subject }) => `You lost connections with ${lostOf(subject)}`,
  moderation_warning: () => 'You have received a moderation warning',
  annual_report: ({ subject }) => `Your ${yearOf(subject)} in review is ready`,
  added_to_collection: ({ name, subject }) => `${name} added you to “${collectionOf(subject)}”`,
  collection_update: ({ name, subject }) => `${name} changed “${collectionOf(subject)}”`,
  'pleroma:emoji_reaction': ({ name, subject }) => `${name} reacted with ${subject.emoji}`,
}

const german: Titles = {
  mention: ({ name }) => `${name} hat dich erwähnt`,
  status: ({ name }) => `${name} hat etwas geschrieben`,
  reblog: ({ name }) => `${name} hat deinen Beitrag geteilt`,
  follow: ({ name }) => `${name} folgt dir jetzt`,
  follow_request: ({ name }) => `${name} möchte dir folgen`,
  favourite: ({ name }) => `${name} hat deinen Beitrag favorisiert`,
  poll: ({ name, own }) => (own ? 'Deine Umfrage ist zu Ende' : `Eine Umfrage von ${name} ist zu Ende`),
  update: ({ name }) => `${name} hat einen Beitrag bearbeitet`,
  quote: ({ name }) => `${name} hat deinen Beitrag zitiert`,
  quoted_update: ({ name }) => `${name} hat einen Beitrag bearbeitet, den du zitiert hast`,
  'admin.sign_up': ({ name }) => `${name} hat sich registriert`,
  'admin.report': ({ name }) => `${name} hat etwas gemeldet`,
  severed_relationships: ({ subject }) => `Du hast Verbindungen zu ${lostOf(subject)} verloren`,
  moderation_warning: () => 'Du wurdest vom Team des Servers verwarnt',
  annual_report: ({ subject }) => `Dein Rückblick auf ${yearOf(subject)} ist fertig`,
  added_to_collection: ({ name, subject }) => `${name} hat dich zu „${collectionOf(subject)}“ hinzugefügt`,
  collection_update: ({ name, subject }) => `${name} hat „${collectionOf(subject)}“ geändert`,
  'pleroma:emoji_reaction': ({ name, subject }) => `${name} hat mit ${subject.emoji} reagiert`,
}

const languages = { en: english, de: german }

/** The title for a notification of this kind in the language of a locale, or in English. */
export function pushTitle(type: string, locale: string, told: Told): string {
  const title = languages[pickMailLanguage(locale)][type]
  return title ? title(told) : told.name
}
