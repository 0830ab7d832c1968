// The one list of the pages of settings, in their groups: navigation, overview and search all take it from here.
import { hasPermission } from '#domain/identity/accounts/permissions.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { Config } from '#ports/ctx.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import { textsIn } from '#lib/messages/texts.ts'

export const settingsPath = '/settings'

const groups = {
  profile: ['/settings/profile', '/settings/privacy', '/settings/verification', '/settings/featured_tags'],
  preferences: [
    '/settings/preferences/appearance',
    '/settings/preferences/posting_defaults',
    '/settings/notifications',
  ],
  account: [
    '/auth/edit',
    '/settings/two-factor',
    '/settings/identities',
    '/settings/sessions',
    '/oauth/authorized_applications',
    '/settings/applications',
    '/disputes/strikes',
  ],
  people: [
    '/relationships',
    '/settings/followers',
    '/severed_relationships',
    '/settings/mutes',
    '/settings/muted_conversations',
    '/settings/blocks',
    '/settings/domain_blocks',
    '/invites',
  ],
  reading: ['/settings/filters', '/settings/lists', '/settings/followed_tags', '/settings/collections'],
  data: [
    '/settings/statistics',
    '/settings/imports',
    '/settings/export',
    '/settings/migration',
    '/settings/aliases',
    '/statuses_cleanup',
    '/settings/delete',
  ],
} as const

type GroupName = keyof typeof groups
type PlacePath = (typeof groups)[GroupName][number]

export interface Place {
  path: PlacePath
  name: string
  /** What there is to be set, in a few words. */
  about: string
}

export interface PlaceGroup {
  name: string
  places: readonly Place[]
}

/** Who looks at the settings, and of which server. */
export interface SettingsReader {
  viewer: Viewer
  config: Config
}

/** Pages that not everybody has. */
function isOffered({ viewer, config }: SettingsReader, path: PlacePath): boolean {
  if (path === '/invites') return hasPermission(viewer, 'invite_users')
  const { providers, ldap } = config.signIn
  return path !== '/settings/identities' || providers.length > 0 || ldap !== null
}

/** Returns the pages of settings that somebody has, in their groups. */
export function listPlaces(reader: SettingsReader, language: Language): PlaceGroup[] {
  const t = textsIn(language).pages.settings
  return (Object.keys(groups) as GroupName[]).map((group) => ({
    name: t.groups[group],
    places: groups[group]
      .filter((path: PlacePath) => isOffered(reader, path))
      .map((path: PlacePath) => ({ path, name: t.places[path].name, about: t.places[path].about })),
  }))
}

const all: readonly string[] = Object.values(groups).flat()

/** Returns the page of settings that this path is or belongs to: the one with the longest path; null for others. */
export function findPlace(here: string): string | null {
  const found = all.filter((path) => here === path || here.startsWith(`${path}/`))
  return found.toSorted((a, b) => b.length - a.length)[0] ?? null
}

/** A text as it is looked for: whatever its case and accents. */
// Capital letters, unlike small ones, make ss of ß.
const fold = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase()

/** Returns the pages in whose name, description or further words all of the asked words stand; those by name first. */
export function searchPlaces(reader: SettingsReader, language: Language, asked: string): Place[] {
  const t = textsIn(language).pages.settings
  const words = fold(asked).split(/\s+/).filter(Boolean)
  const found = listPlaces(reader, language).flatMap(({ name: group, places }) =>
    places.map((place) => {
      const rest = fold(`${group} ${place.about} ${t.places[place.path].words}`)
      const name = fold(place.name)
      const isFound = words.every((word) => name.includes(word) || rest.includes(word))
      return { place, isFound, isNamed: words.some((word) => name.includes(word)) }
    }),
  )
  return found
    .filter(({ isFound }) => isFound)
    .toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed))
    .map(({ place }) => place)
}
