// Which answers are ActivityStreams documents (https://www.w3.org/TR/activitypub/#retrieving-objects).
import { isObject, type JsonObject } from '../kit/json.ts'

const profile = 'https://www.w3.org/ns/activitystreams'

export const acceptDocuments = `application/activity+json, application/ld+json; profile="${profile}"`
export const documentTypes = ['application/activity+json', 'application/ld+json']

/** Whether a media type is one under which nobody but the server itself publishes: other JSON may be an upload. */
export function isDocumentType(contentType: string | null): boolean {
  const [essence = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim())
  if (essence.toLowerCase() === 'application/activity+json') return true
  if (essence.toLowerCase() !== 'application/ld+json') return false
  const value = parameters.map((parameter) => /^profile="?([^"]*)"?$/i.exec(parameter)?.[1]).find(Boolean)
  return value?.split(/\s+/).includes(profile) ?? false
}

/** The JSON object that a body is; null for anything else. */
export function parseDocument(body: Buffer): JsonObject | null {
  try {
    // RFC 8259, section 8.1: a mark of the byte order may be ignored, and some editors leave one.
    const value: unknown = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
