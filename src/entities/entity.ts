// What the schemas of entities are made of. Schemas do not change, so that one of each simple kind serves all entities.
import { z } from 'zod'

/** What JSON of a schema is to who reads it. What was rendered is kept and shared, so that nobody changes it. */
export type Json<S extends z.ZodType> = Fixed<z.output<S>>

type Fixed<T> = T extends readonly (infer Item)[]
  ? readonly Fixed<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Fixed<T[Key]> }
    : T

/** A schema of which only is known what it describes: the compiler need not look into it again wherever it is used. */
export type Schema<T> = z.ZodType<T>

/** Returns the schema of an entity, under whose name the OpenAPI document has it. Keys that it does not name are wrong. */
export function entity<Shape extends z.core.$ZodLooseShape>(
  name: string,
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  const schema = z.strictObject(shape)
  z.globalRegistry.add(schema, { id: name })
  return schema as unknown as z.ZodObject<Shape, z.core.$strict>
}

/** Returns the schema of an entity that is another one with more keys. */
export function extending<T, Shape extends z.core.$ZodLooseShape>(
  name: string,
  base: Schema<T>,
  more: Shape,
): Schema<Omit<T, keyof Shape> & z.output<z.ZodObject<Shape>>> {
  return entity(name, { ...(base as unknown as z.ZodObject).shape, ...more }) as never
}

/** Returns the schema of a list. */
export const listOf = <T>(item: Schema<T>): Schema<readonly T[]> => z.array(item) as never

/** Returns the schema of one of two. */
export const eitherOf = <A, B>(one: Schema<A>, other: Schema<B>): Schema<A | B> =>
  z.union([one, other]) as never

/** An identifier: a 64-bit integer as text. */
export const id = z.string().regex(/^-?\d{1,19}$/)
export const idOrNull = id.nullable()
export const ids = z.array(id)

export const text = z.string()
export const textOrNull = text.nullable()
export const texts = z.array(text)

/** An integer as text, as Mastodon sends some counts. */
export const numeral = z.string().regex(/^-?\d+$/)

/** An address as it was given: those of other servers may be no URL of RFC 3986. */
export const url = z.string()
export const urlOrNull = url.nullable()

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
/** A time in UTC with milliseconds: `2026-02-01T12:00:00.000Z`. */
export const time = z.string().regex(instant).meta({ format: 'date-time' })
export const timeOrNull = time.nullable()

/** `2026-02-01` */
export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .meta({ format: 'date' })
export const dayOrNull = day.nullable()

export const flag = z.boolean()
export const flagOrNull = flag.nullable()
/** There when it is true. */
export const mark = z.literal(true).optional()

export const count = z.number().int()
export const countOrNull = count.nullable()
export const number = z.number()
export const numberOrNull = number.nullable()
