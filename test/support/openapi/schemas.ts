/**
 * The reference's schemas as we hold ourselves to them: reference.json (names and types from Mastodon's
 * documentation), made stricter by shapes.json (keys it marks optional but Mastodon always sends, on which
 * strongly typed clients rely), and changed where our specification or Mastodon's real answers differ.
 */
import { readFileSync } from 'node:fs'

export interface Schema {
  type?: string | string[]
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  not?: Schema
  const?: unknown
  enum?: string[]
  maxLength?: number
  additionalProperties?: Schema | boolean
  $ref?: string
}

export interface Reference {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export interface Operation {
  parameters?: { name: string; in: string }[]
  /** Answers of the 2xx class; without `content` the reference gives no schema. */
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

const readJson = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))

function propertyOf(
  schemas: Record<string, Schema>,
  path: string,
): { holder: Schema; name: string; value: Schema } {
  const [entity = '', ...names] = path.split('.')
  let holder = schemas[entity]
  const last = names.pop() ?? ''
  for (const name of names) holder = holder?.properties?.[name]
  const value = holder?.properties?.[last]
  if (holder === undefined || value === undefined) throw new Error(`the reference has no ${path}`)
  return { holder, name: last, value }
}

/** Identifiers that Mastodon sends as numbers; ours are strings, always. */
const numericIds = [
  'NotificationGroup.most_recent_notification_id',
  'ScheduledStatus.params.application_id',
  'ScheduledStatus.params.in_reply_to_id',
]

/** Kinds of notifications that the reference forgets, and one of an extension that is off unless turned on. */
const furtherNotifications = [
  'annual_report',
  'added_to_collection',
  'collection_update',
  'pleroma:emoji_reaction',
]

/** Mastodon sends an empty text where a card has no such address. */
const emptyAddresses = ['PreviewCard', 'TrendsLink'].flatMap((card) =>
  ['author_url', 'embed_url', 'provider_url'].map((key) => `${card}.${key}`),
)

/** The reference has the policy of notifications as version 2 has it alone; version 1 has booleans. */
function addPolicyV1({ paths, components: { schemas } }: Reference): void {
  const path = '/api/v1/notifications/policy'
  if (paths[path]) throw new Error(`the reference has ${path} now`)
  const { summary } = schemas.NotificationPolicy?.properties ?? {}
  const rules = ['not_following', 'not_followers', 'new_accounts', 'private_mentions'].map(
    (rule) => `filter_${rule}`,
  )
  const schema: Schema = {
    type: 'object',
    required: [...rules, 'summary'],
    properties: {
      ...Object.fromEntries(rules.map((rule) => [rule, { type: 'boolean' }])),
      ...(summary && { summary }),
    },
  }
  const operation = { responses: { 200: { content: { 'application/json': { schema } } } } }
  paths[path] = { get: operation, patch: operation }
}

function requireAlways(schemas: Record<string, Schema>, shapes: Record<string, string[]>): void {
  for (const [entity, keys] of Object.entries(shapes)) {
    for (const key of keys) propertyOf(schemas, `${entity}.${key}`)
    const schema = schemas[entity]
    if (schema !== undefined) schema.required = [...new Set([...(schema.required ?? []), ...keys])]
  }
}

/** The specification removed `blocked_by`; with COMPAT_BLOCKED_BY it is there and tells nothing. */
function adjustRelationship(relationship: Schema | undefined, compatBlockedBy: boolean): void {
  if (relationship === undefined) throw new Error('the reference has no Relationship')
  const others = relationship.required?.filter((key) => key !== 'blocked_by') ?? []
  relationship.required = compatBlockedBy ? [...others, 'blocked_by'] : others
  if (compatBlockedBy) propertyOf({ relationship }, 'relationship.blocked_by').value.const = false
  else {
    delete relationship.properties?.blocked_by
    relationship.not = { required: ['blocked_by'] }
  }
}

/** The answer to deleting a status holds the source text in place of the content. */
function adjustStatus(status: Schema | undefined): void {
  if (status === undefined) throw new Error('the reference has no Status')
  status.required = status.required?.filter((key) => key !== 'content') ?? []
  status.anyOf = [{ required: ['content'] }, { required: ['text'] }]
}

/** Errors that concern single fields carry details; all others only the text. */
function adjustError(schemas: Record<string, Schema>): void {
  const details = propertyOf(schemas, 'ValidationError.details').value
  schemas.AnyError = {
    type: 'object',
    required: ['error'],
    properties: { error: { type: 'string' }, error_description: { type: ['string', 'null'] }, details },
  }
}

/** The list of keyword filters is a list, which the reference takes for one filter. */
function adjustFilters({ paths }: Reference): void {
  const json = paths['/api/v1/filters']?.get?.responses['200']?.content?.['application/json']
  if (json === undefined) throw new Error('the reference has no list of filters')
  json.schema = { type: 'array', items: json.schema }
}

/** Reads the reference and applies everything above. Throws when an adjustment names what is not there. */
export function loadReference(options: { compatBlockedBy: boolean }): Reference {
  const reference = readJson('./reference.json') as Reference
  const { schemas } = reference.components
  requireAlways(schemas, readJson('./shapes.json') as Record<string, string[]>)
  for (const path of numericIds) propertyOf(schemas, path).value.type = ['string', 'null']
  for (const path of emptyAddresses) {
    const { holder, name, value } = propertyOf(schemas, path)
    holder.properties = { ...holder.properties, [name]: { anyOf: [value, { type: 'string', maxLength: 0 }] } }
  }
  propertyOf(schemas, 'ExtendedDescription.updated_at').value.type = ['string', 'null']
  propertyOf(schemas, 'OEmbedResponse.height').value.type = ['integer', 'null']
  for (const kinds of ['NotificationTypeEnum', 'NotificationGroupTypeEnum']) {
    const schema = schemas[kinds]
    if (schema) schema.enum = [...new Set([...(schema.enum ?? []), ...furtherNotifications])]
  }
  addPolicyV1(reference)
  adjustRelationship(schemas.Relationship, options.compatBlockedBy)
  adjustStatus(schemas.Status)
  adjustError(schemas)
  adjustFilters(reference)
  return reference
}
