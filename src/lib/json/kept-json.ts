import { ownWriter, type Writes } from './json-writer.ts'

/** An object that is kept as its JSON: less than half of the memory, and next to nothing for the garbage collector to look at. */
export interface KeptJson<T extends object> {
  /** How an object begins that has its members first and of which further ones follow: `{"id":"1",`. In UTF-8. */
  readonly opening: Uint8Array
  /** The object, made anew each time. */
  read(): T
}

/** `value` must have a member, and be what its JSON says: no dates, nothing undefined. */
export function keepJson<T extends object>(value: T): KeptJson<T> {
  return new Kept(openingOf(value))
}

/** As `KeptJson` has it. A copy, since what Buffer.from returns is mostly a piece of a pool, all 64 KB of which it would keep alive. */
export const openingOf = (value: object): Uint8Array =>
  new Uint8Array(Buffer.from(`${JSON.stringify(value).slice(0, -1)},`))

class Kept<T extends object> implements KeptJson<T> {
  readonly opening: Uint8Array

  constructor(opening: Uint8Array) {
    this.opening = opening
  }

  read(): T {
    const { buffer, byteOffset, length } = this.opening
    return JSON.parse(`${Buffer.from(buffer, byteOffset, length - 1).toString()}}`) as T
  }
}

/** Where the rest of an object is read that has a part of its members at hand. */
export interface Rest<T extends object> extends Partial<Writes> {
  read(): T
}

/**
 * An object with the members of `known` and those that `rest` has, which are read when somebody first looks for one of
 * them: to everybody it is as any other. They are put into `known`, which is then the object itself. `names`: all that
 * the rest may have.
 */
export function lazyObject<Known extends object, Further extends object>(
  known: Known,
  names: Readonly<Record<keyof Further, true>>,
  rest: Rest<Further>,
): Known & Further {
  return new Proxy(known, new Completion(names, rest)) as Known & Further
}

/** Completes the object that it is the handler of before anybody could see that something is missing. */
class Completion implements ProxyHandler<object> {
  readonly #names: object
  readonly #rest: Rest<object>
  #whole = false

  constructor(names: object, rest: Rest<object>) {
    this.#names = names
    this.#rest = rest
  }

  get(target: object, key: string | symbol, receiver: unknown): unknown {
    if (key === ownWriter) return this.#rest.writeTo && this.#rest
    if (Object.hasOwn(this.#names, key)) this.#makeWhole(target)
    return Reflect.get(target, key, receiver)
  }

  has(target: object, key: string | symbol): boolean {
    if (Object.hasOwn(this.#names, key)) this.#makeWhole(target)
    return Reflect.has(target, key)
  }

  ownKeys(target: object): (string | symbol)[] {
    this.#makeWhole(target)
    return Reflect.ownKeys(target)
  }

  getOwnPropertyDescriptor(target: object, key: string | symbol): PropertyDescriptor | undefined {
    this.#makeWhole(target)
    return Reflect.getOwnPropertyDescriptor(target, key)
  }

  #makeWhole(target: object): void {
    if (this.#whole) return
    this.#whole = true
    Object.assign(target, this.#rest.read())
  }
}
