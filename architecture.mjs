/**
 * Which folder under src/ may import which: the layer table and the wings of the domain with their capabilities, as data.
 * People read it to know where code belongs; scripts/architecture-check.ts enforces it. Type imports count.
 *
 * Beyond the table, no two folders import each other, whether they are side by side or one inside the other: what both
 * need stands in a third, which is often called kit/. Only tests may do so.
 */

/**
 * The wings of src/domain/, and the capabilities in each. A capability may import those of earlier wings, and those
 * before it in its own; later ones hear of earlier ones by event.
 */
export const domainWings = {
  server: ['audit', 'instance', 'hosts'],
  identity: ['sign-up-restrictions', 'identities', 'accounts', 'roles', 'two-factor', 'oauth'],
  social: ['relationships'],
  content: ['media', 'tags', 'polls', 'cards', 'spam', 'statuses'],
  reading: [
    'filters',
    'lists',
    'timelines',
    'conversations',
    'notifications',
    'push',
    'collections',
    'annual-reports',
    'statistics',
    'announcements',
    'trends',
    'suggestions',
    'search',
  ],
  trust: ['moderation', 'block-lists'],
  federation: ['moves', 'relays', 'queue'],
  transfer: ['portability', 'domain-change'],
  maintenance: ['deletion', 'dashboard', 'retention', 'webhooks', 'jobs'],
}

/**
 * Folder (or file, for main.ts) under src/ → the other folders it may import. `typesOnly` names those of which
 * it may import types alone. A folder that is not listed here must not exist.
 *
 * @type {Record<string, { imports: string[], typesOnly?: string[] }>}
 */
export const layers = {
  lib: { imports: [] },
  entities: { imports: ['lib'] },
  config: { imports: ['lib'] },
  db: { imports: ['lib'] },
  ports: { imports: ['lib', 'config'], typesOnly: ['db'] },
  adapters: { imports: ['lib', 'config', 'db', 'ports'] },
  domain: { imports: ['lib', 'db', 'ports'] },
  views: { imports: ['lib', 'db', 'ports', 'domain'], typesOnly: ['entities'] },
  federation: { imports: ['lib', 'db', 'ports', 'domain'] },
  worker: { imports: ['lib', 'db', 'ports', 'domain', 'views', 'federation'] },
  http: { imports: ['lib', 'entities', 'ports', 'domain', 'views'] },
  streaming: { imports: ['lib', 'ports', 'domain', 'views'], typesOnly: ['entities'] },
  app: {
    imports: [
      'lib',
      'config',
      'db',
      'ports',
      'adapters',
      'domain',
      'views',
      'federation',
      'worker',
      'http',
      'streaming',
    ],
  },
  cli: { imports: ['lib', 'config', 'db', 'ports', 'domain', 'app'] },
  'main.ts': { imports: ['app', 'config'] },
}

/**
 * No folder has more files of its own than this, so that each is seen at one look. `crowded` names those that may, with
 * the reason.
 *
 * @type {{ max: number, in: string[], crowded: Record<string, string> }}
 */
export const folderSizes = {
  max: 25,
  in: ['src', 'client/src', 'test', 'scripts', 'bench', 'docs'],
  crowded: {
    'docs/adr': 'records in the order of their numbers, of which none is ever removed',
    'src/db/migrations': 'in the order of their numbers, of which none is ever removed',
    'test/federation/corpus/mastodon': 'data alone: one document in each file',
    'test/federation/corpus/small': 'data alone: one document in each file',
  },
}

/**
 * Packages that only some folders may import. `name` is a package, or a scope as `@scope/*`.
 *
 * @type {{ name: string, folders: string[], typesOnly: string[] }[]}
 */
export const restrictedPackages = [
  { name: 'kysely', folders: ['domain', 'db', 'adapters'], typesOnly: ['ports'] },
  // In its tests alone: it is a peer to compare with, and no part of the program.
  { name: '@fedify/*', folders: ['federation'], typesOnly: [] },
  { name: 'jsonld', folders: ['federation'], typesOnly: [] },
  // What comes in is parsed where it comes in; what goes out is described by the entities.
  { name: 'zod', folders: ['http', 'entities', 'adapters', 'app'], typesOnly: [] },
  { name: '@opentelemetry/*', folders: ['adapters'], typesOnly: [] },
]

/**
 * What only some folders may say, and what the others do instead. Tests may.
 *
 * @type {{ pattern: RegExp, folders: string[], instead: string }[]}
 */
export const restrictedTexts = [
  {
    pattern: /\binsert\s+into\s+outbox\b|insertInto\('outbox'\)/i,
    folders: ['db'],
    instead: 'events go out by tx.emit, or by insertingEvents in the statement that makes their rows',
  },
  {
    pattern: /\b(?!JSON|Date|URL)[A-Z]\w*\.(?:safeP|p)arse(?:Async)?\(/,
    folders: [],
    instead: 'what is answered has the type of its entity, and tests alone hold it to the schema',
  },
  {
    pattern: /\bas\s+(?:unknown\s+as\s+)?(?:readonly\s+)?\(?[A-Z]\w*Id\b/,
    folders: [],
    instead: 'text becomes an id by asId of lib/id.ts',
  },
  {
    pattern: /\bwhile \(await ctx\.transaction\(.*\)\);/,
    folders: [],
    instead: 'between two batches there is a pause while many events wait (db/pace-events.ts)',
  },
  {
    // Built, many modules are one file, in another folder.
    pattern: /\bimport\.meta\.(?:dirname|filename|url)\b/,
    folders: ['lib'],
    instead: 'files and programs are found by lib/project/project.ts',
  },
  {
    pattern:
      /\b(?:account|author|card|collection|conversation|draft|favourite|filter|list|media|notification|poll|quoted|recipient|reblog|report|role|status|tag|target|user|viewer)(?:Id|_id)s?\??: (?:readonly )?(?:string\b|(?:Readonly)?Set<string>)/,
    // What the API answers is text.
    folders: ['entities'],
    instead: 'the ids of each table have a type of their own in lib/id.ts',
  },
]
