// The texts that an expression may have: names of tables and columns, pieces of syntax.
import * as ts from 'typescript/unstable/ast'
import { withFact, type Facts } from './facts.ts'
import { nameOf } from './names.ts'
import { Unreadable, type Bound, type Frame, type Reading } from './reading.ts'
import { resolveText } from './resolve.ts'

/** Returns the texts that an expression may have. Throws Unreadable where they cannot be known. */
export function readStrings(r: Reading, bound: Bound, facts: Facts): { text: string; facts: Facts }[] {
  const name = nameOf(r, bound)
  return resolveText(r, bound, facts).flatMap((one) => {
    if (ts.isStringLiteral(one.node) || ts.isNoSubstitutionTemplateLiteral(one.node)) {
      return [{ text: one.node.text, facts: one.facts }]
    }
    if (ts.isNumericLiteral(one.node)) return [{ text: String(Number(one.node.text)), facts: one.facts }]
    if (ts.isPropertyAssignment(one.node.parent) && one.node.parent.name === one.node) {
      return [{ text: one.node.getText().replaceAll(/['"]/g, ''), facts: one.facts }]
    }
    if (ts.isTemplateExpression(one.node)) return readTemplateString(r, one.node, one.frame, one.facts)
    const literals =
      r.program.literalsOf(one.node) ??
      r.program.literalsOf(bound.node) ??
      r.sample(one.node) ??
      r.sample(bound.node)
    if (literals === undefined) throw new Unreadable(one.node, 'a name that is not known')
    return literals.flatMap((text) => {
      const held = withFact(one.facts, `${name} is`, `'${text}'`)
      return held ? [{ text, facts: held }] : []
    })
  })
}

function readTemplateString(r: Reading, node: ts.TemplateExpression, frame: Frame, facts: Facts) {
  let texts = [{ text: node.head.text, facts }]
  for (const span of node.templateSpans) {
    texts = texts.flatMap((start) =>
      readStrings(r, { node: span.expression, frame }, start.facts).map((next) => ({
        text: `${start.text}${next.text}${span.literal.text}`,
        facts: next.facts,
      })),
    )
  }
  return texts
}
