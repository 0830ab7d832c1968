// What operations answer, as tests look at it: types alone, from what routes say that they return.
import type { Method, Route } from '#http/kit/route.ts'
import type { DeclaredRoute } from '#http/routes.ts'
import type { AnyId } from '#lib/id.ts'

/** A path with `:` for what is not the same in all calls: parameters of routes, and what a test puts in. */
type Pattern<Path extends string> = Path extends `${infer Before}?${string}`
  ? Pattern<Before>
  : Path extends `${infer Head}/${infer Tail}`
    ? `${Segment<Head>}/${Pattern<Tail>}`
    : Segment<Path>
/** No segment that is written out is one of these, which may stand for a `string`, a `number` or an id. */
type Segment<Text extends string> = Text extends `${AnyId}`
  ? ':'
  : '\0' extends Text
    ? ':'
    : '0' extends Text
      ? ':'
      : Text extends `:${string}`
        ? ':'
        : Text

type Answers = {
  [Declared in DeclaredRoute as `${Declared['method']} ${Pattern<Declared['path']>}`]: Declared extends Route<
    Method,
    `/${string}`,
    infer T
  >
    ? ShownAnswer<T>
    : never
}
/**
 * An answer as a test expects it: what may be null or not there is what the test says that it is. Where it is not, the
 * test fails by that.
 */
export type Shown<T> = T extends readonly (infer Item)[]
  ? ShownList<Shown<NonNullable<Item>>>
  : T extends object
    ? { [Key in keyof T]-?: Shown<NonNullable<T[Key]>> }
    : T

/** What a test names of a list without asking whether it is there. */
type ShownList<Item> = {
  0: Item
  1: Item
  2: Item
  at(index: number): Item
  find(predicate: (item: Item, index: number) => unknown): Item
} & Item[]

/** Of an operation with several answers, such as posting now or later, the test says which one it expects. */
type ShownAnswer<T> = [T] extends [readonly unknown[] | boolean] ? Shown<T> : ShownKeys<T>
type ShownKeys<T> = { [Key in KeyOf<T>]: Shown<NonNullable<ValueOf<T, Key>>> }
type KeyOf<T> = T extends unknown ? keyof T : never
type ValueOf<T, Key> = T extends unknown ? (Key extends keyof T ? T[Key] : never) : never

// oxlint-disable-next-line no-explicit-any -- of a path that no route is known to have by its text alone
type Unknown = any

/** `infer` keeps the compiler from looking at all answers where it does not know the path. */
export type AnswerTo<M extends Method, Path extends string> =
  Answers extends Record<`${M} ${Pattern<Path>}`, infer Known>
    ? unknown extends Known
      ? Unknown
      : Known
    : Unknown
