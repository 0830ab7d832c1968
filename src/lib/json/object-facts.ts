/** A class made of this one puts its private members on the object that it is given. */
const Same = function Same(value: object) {
  return value
} as unknown as new (value: object) => object

export interface ObjectFacts<T> {
  /** Keeps it for this object, which must be one that nobody has frozen. At most once each. */
  set(value: object, fact: T): void
  get(value: object): T | undefined
}

/**
 * What is known of objects, kept on themselves for as long as they live: no copy has it, and nothing that looks at them
 * sees it. A WeakMap would do the same, but those of thousands of objects keep the garbage collector busy.
 */
export function createObjectFacts<T>(): ObjectFacts<T> {
  class Fact extends Same {
    readonly #fact: T
    constructor(value: object, fact: T) {
      super(value)
      this.#fact = fact
    }
    static of(value: object): T | undefined {
      return #fact in value ? value.#fact : undefined
    }
  }
  return {
    set(value, fact) {
      void new Fact(value, fact)
    },
    get: (value) => Fact.of(value),
  }
}
