// zod pieces for parameters: each takes what clients send and gives what the domain wants.
import { z } from 'zod'
import { isId } from '#lib/ids.ts'
import { parseInteger, parseTruthy } from '#lib/text/truthy.ts'
import type { PageRequest } from '#lib/page.ts'
import { noId, type AnyId, type IdCursor } from '#lib/id.ts'
import { asArray, isTree, isUploadedFile, type ParamValue, type UploadedFile } from './params.ts'

const blank = (value: unknown) => value === undefined || value === null || value === ''
/** Objects of parameters have no prototype, so `String` would throw for them. */
const written = (value: unknown) => (typeof value === 'object' || value === undefined ? '' : String(value))

/** A boolean in all its spellings; blank is not given. */
export const truthy = () =>
  z.preprocess((value) => parseTruthy(value) ?? undefined, z.boolean().optional()).meta({ type: 'boolean' })

/** An optional text; numbers and booleans of JSON become text. */
export const text = () =>
  z.preprocess(
    (value) =>
      value === null
        ? undefined
        : typeof value === 'object'
          ? undefined
          : value === undefined
            ? value
            : String(value),
    z.string().optional(),
  )

/** A required text: blank is missing. */
export const requiredText = () =>
  z.preprocess((value) => (blank(value) || typeof value === 'object' ? undefined : String(value)), z.string())

/** Text that is an id for the compiler: what it says is not looked at. */
const idText = <Id extends AnyId>() => z.string() as unknown as z.ZodType<Id, string>

/** An id in a parameter: anything else is as if it were not given. */
export const id = <Id extends AnyId>() =>
  z.preprocess((value) => (isId(written(value)) ? written(value) : undefined), idText<Id>().optional())

/** A place in a list; anything else is as if it were not given. */
export const cursor = () =>
  z.preprocess((value) => (isId(written(value)) ? written(value) : undefined), z.string().optional())

/** An id in the path: anything else names nothing, and `route` answers 404 (see `missingId`). */
export const pathId = <Id extends AnyId>() =>
  z.preprocess((value) => (isId(written(value)) ? written(value) : missingId), idText<Id>())

/** The id no record has. */
export const missingId: AnyId = noId()

/** A list of ids from any spelling; what is no id is left out. */
export const ids = <Id extends AnyId>() =>
  z.preprocess(
    (value) =>
      asArray(value as ParamValue)
        ?.map(written)
        .filter((item) => isId(item)),
    z.array(idText<Id>()).optional(),
  )

/** What some apps write for nothing. */
const unset = new Set(['', 'null', 'undefined'])

function toReference(value: unknown): string | undefined {
  const given = written(value)
  if (isId(given)) return given
  return unset.has(given) ? undefined : missingId
}

/** The id of what a request builds on: what is no id names nothing that is there, and is not left out. */
export const reference = <Id extends AnyId>() => z.preprocess(toReference, idText<Id>().optional())

/** A list of what `reference` takes, from any spelling. */
export const references = <Id extends AnyId>() =>
  z.preprocess(
    (value) =>
      asArray(value as ParamValue)
        ?.map(toReference)
        .filter((item) => item !== undefined),
    z.array(idText<Id>()).optional(),
  )

/** A list of texts from any spelling. */
export const texts = () =>
  z.preprocess(
    (value) =>
      asArray(value as ParamValue)
        ?.filter((item) => typeof item !== 'object')
        .map(String),
    z.array(z.string()).optional(),
  )

/** A whole number by its leading digits. */
export const integer = () =>
  z.preprocess(
    (value) => (blank(value) ? undefined : (parseInteger(value) ?? undefined)),
    z.number().int().optional(),
  )

/** `limit`: at most twice the default, silently. */
export const limit = (standard: number, max = standard * 2) =>
  z
    .preprocess((value) => (blank(value) ? undefined : parseInteger(value)), z.number().nullish())
    .transform((value) => Math.min(value || standard, max))

/** `offset`: not negative. */
export const offset = () =>
  z
    .preprocess((value) => (blank(value) ? undefined : parseInteger(value)), z.number().nullish())
    .transform((value) => value ?? 0)

/** One of the listed words. */
export const word = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.preprocess(
    (value) => (blank(value) ? undefined : typeof value === 'object' ? value : String(value)),
    z.enum(words).optional(),
  )

/** Several of the listed words, from any spelling. */
export const words = <const T extends readonly [string, ...string[]]>(listed: T) =>
  z.preprocess((value) => asArray(value as ParamValue), z.array(z.enum(listed)).optional())

/**
 * An uploaded file, also from a `data:` URI in Base64. Other URIs of that kind are wrong; anything else is not given.
 */
export const file = () =>
  z.preprocess(
    (value) => (isUploadedFile(value) || isDataUri(value) ? value : undefined),
    z.custom<UploadedFile>(isUploadedFile).optional(),
  )

const isDataUri = (value: unknown) => typeof value === 'string' && /^data:/i.test(value)

/** Objects under a name, from `name[0][key]`, `name[][key]` or JSON; what is no list or object is not given. */
export const objects = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => {
    if (isTree(value) || Array.isArray(value)) return asArray(value as ParamValue)?.filter(isTree)
    return undefined
  }, z.array(item).optional())

/** An object under a name, from `name[key]` or JSON; anything else is not given. */
export const object = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (isTree(value) ? value : undefined), item.optional())

/** The parameters of a paged list. */
export const paging = (standard: number, max = standard * 2) => ({
  limit: limit(standard, max),
  max_id: cursor(),
  since_id: cursor(),
  min_id: cursor(),
})

export function pageOf(params: {
  limit: number
  max_id?: IdCursor
  since_id?: IdCursor
  min_id?: IdCursor
}): PageRequest {
  return { limit: params.limit, maxId: params.max_id, sinceId: params.since_id, minId: params.min_id }
}
