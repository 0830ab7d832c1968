import type { Attributes } from './read-html.ts'

/** Takes what is inside a `<math>` element, tag by tag. */
export interface MathReader {
  open(name: string, attributes: Attributes): void
  close(): void
  text(text: string): void
  /** What stands for the formula in a text; '' when its author gave nothing for that. */
  result(): string
}

const tex = 'application/x-tex'
const plain = 'text/plain'

/**
 * Reads the annotations of a formula, as FEP-dc88 says how to show it without MathML: `<math><semantics>` … with an
 * `<annotation>` in TeX, shown between `$` or, as a block, `$$`, else with one in plain text.
 */
export function createMathReader(math: Attributes): MathReader {
  const annotations = new Map<string, string[]>()
  let current: string[] | null = null
  let depth = 1
  let children = 0
  let isSemantics = false
  return {
    open(name, attributes) {
      depth += 1
      if (depth === 2) {
        children += 1
        isSemantics = children === 1 && name === 'semantics'
      }
      if (depth !== 3 || !isSemantics || name !== 'annotation') return
      const encoding = attributes.get('encoding')?.trim().toLowerCase() ?? ''
      current = []
      if (!annotations.has(encoding)) annotations.set(encoding, current)
    },
    close() {
      depth -= 1
      if (depth < 3) current = null
    },
    text(text) {
      if (depth === 3) current?.push(text)
    },
    result() {
      const formula = annotations.get(tex)?.join('').trim() ?? ''
      const sign = math.get('display')?.toLowerCase() === 'block' ? '$$' : '$'
      return formula === '' ? (annotations.get(plain)?.join('').trim() ?? '') : `${sign}${formula}${sign}`
    },
  }
}
