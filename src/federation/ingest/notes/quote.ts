// Quotes in all dialects, and the consent of those who are quoted (https://w3id.org/fep/044f).
import {
  hostOf,
  isObject,
  toId,
  toIds,
  toList,
  toObject,
  toText,
  type JsonObject,
} from '#federation/kit/json.ts'

export interface NoteQuote {
  uri: string
  /** The stamp by which the quoted author is said to consent. */
  approvalUri: string | null
}

/** Addresses of those who may do something at once, and of those who may ask. */
export interface NotePolicy {
  automatic: string[]
  manual: string[]
}

const names = ['quote', 'quoteUri', 'quoteUrl', '_misskey_quote', 'quoteURL', 'quoteURI']
const misskeyQuote = 'https://misskey-hub.net/ns#_misskey_quote'
const maxGroups = 50

/** What a note quotes: the first of all the ways to say so. */
export function readQuote(document: JsonObject): NoteQuote | null {
  const uri =
    names.map((name) => address(document[name])).find((one) => one !== null) ?? readLinkedQuote(document)
  return uri === null ? null : { uri, approvalUri: address(document['quoteAuthorization']) }
}

/** A link to an object of ActivityPub (FEP-e232). */
function readLinkedQuote(document: JsonObject): string | null {
  for (const tag of toList(document['tag'])) {
    if (!isObject(tag) || tag['type'] !== 'Link') continue
    const media = toText(tag['mediaType'])?.toLowerCase().replaceAll(/[\s"]/g, '') ?? ''
    const isObjectLink =
      media === 'application/activity+json' ||
      media === 'application/ld+json;profile=https://www.w3.org/ns/activitystreams'
    if (isObjectLink || toIds(tag['rel']).includes(misskeyQuote)) return address(tag['href'])
  }
  return null
}

/** Nobody may quote where nothing is said. */
export const readQuotePolicy = (document: JsonObject): NotePolicy =>
  readPolicy(toObject(toObject(document['interactionPolicy'])?.['canQuote']))

/** Null where nothing is said: then all who see it may answer. */
export function readReplyPolicy(document: JsonObject): NotePolicy | null {
  const policy = toObject(toObject(document['interactionPolicy'])?.['canReply'])
  return policy && Object.keys(policy).length > 0 ? readPolicy(policy) : null
}

/** `always` and `approvalRequired` are what older GoToSocials say. */
function readPolicy(policy: JsonObject | null): NotePolicy {
  const groups = (...members: string[]) =>
    members.flatMap((name) => toIds(policy?.[name])).slice(0, maxGroups)
  return {
    automatic: groups('automaticApproval', 'always'),
    manual: groups('manualApproval', 'approvalRequired'),
  }
}

/** Whether a document is the consent of an author to be quoted by exactly this status. */
export function isStampFor(
  document: JsonObject,
  {
    uri,
    quotingUri,
    quotedUri,
    quotedAuthorUri,
  }: Record<'uri' | 'quotingUri' | 'quotedUri' | 'quotedAuthorUri', string>,
): boolean {
  return (
    toList(document['type']).includes('QuoteAuthorization') &&
    toId(document['id']) === uri &&
    toId(document['attributedTo']) === quotedAuthorUri &&
    toId(document['interactingObject']) === quotingUri &&
    toId(document['interactionTarget']) === quotedUri
  )
}

function address(value: unknown): string | null {
  const uri = toId(value)
  return uri !== null && hostOf(uri) !== null ? uri : null
}
