// Makes the text of statements from the source, in each form that it can take.
import * as ts from 'typescript/unstable/ast'
import { factsAt } from './branches.ts'
import type { Facts } from './facts.ts'
import { readList, thinLists } from './lists.ts'
import { isSqlTemplate } from './program.ts'
import { newFrame, Unreadable, type Bound, type Frame, type Meaning, type Reading } from './reading.ts'
import { readStrings } from './texts.ts'
import { thinOut } from './thin-out.ts'

/** Where a value goes. */
const placeholder = Symbol('placeholder')

/** One form of a piece of SQL. */
export interface Form {
  parts: readonly (string | typeof placeholder)[]
  facts: Facts
  /** All pieces of source that it is made of. */
  templates: ReadonlySet<ts.Node>
  /** The outermost sql`…`, whose type says what the rows are. */
  outermost: ts.Node | null
}

const emptyForm = (facts: Facts): Form => ({ parts: [], facts, templates: new Set(), outermost: null })

/** The text with $1, $2 … as the database gets it. */
export function textOf(form: Form): string {
  let count = 0
  return form.parts.map((part) => (typeof part === 'string' ? part : `$${(count += 1)}`)).join('')
}

const quote = (name: string) =>
  name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.')

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

const thinForms = (forms: readonly Form[]) => thinOut(forms, (form) => form.templates)

/** Returns every form of the SQL at a place in the source. Throws Unreadable where it cannot be followed. */
export function readForms(r: Reading, node: ts.Node): Form[] {
  const bound = { node, frame: newFrame() }
  const facts = factsAt(r, bound)
  return facts === null ? [] : read(r, bound, facts)
}

const only = (text: string, facts: Facts): Form => ({ ...emptyForm(facts), parts: [text] })
const value = (facts: Facts): Form => ({ ...emptyForm(facts), parts: [placeholder] })

function then(first: Form, next: Form): Form {
  return {
    parts: [...first.parts, ...next.parts],
    facts: next.facts,
    templates: new Set([...first.templates, ...next.templates]),
    outermost: null,
  }
}

/** Each form so far with each that may come next. */
function append(forms: Form[], next: (facts: Facts) => Form[]): Form[] {
  return thinForms(forms.flatMap((form) => next(form.facts).map((one) => then(form, one))))
}

function read(r: Reading, bound: Bound, facts: Facts): Form[] {
  return thinForms(r.resolve(bound, facts).flatMap((one) => readMeaning(r, one)))
}

function readMeaning(r: Reading, { node, frame, facts }: Meaning): Form[] {
  if (isSqlTemplate(node)) return readTemplate(r, node, frame, facts)
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression
    if (expression.getText() === 'sql') return readBuiltIn(r, node, frame, facts)
    if (name.text === 'as' && r.program.isFragment(expression)) return readAlias(r, node, frame, facts)
  }
  if (!r.program.isFragment(node)) return [value(facts)]
  throw new Unreadable(node, 'not to be followed')
}

function readTemplate(r: Reading, node: ts.TaggedTemplateExpression, frame: Frame, facts: Facts): Form[] {
  const { template } = node
  const mark = (form: Form): Form => ({
    ...form,
    templates: new Set([...form.templates, node]),
    outermost: node,
  })
  if (ts.isNoSubstitutionTemplateLiteral(template)) return [mark(only(template.text, facts))]
  if (!ts.isTemplateExpression(template)) throw new Unreadable(node, 'no template')
  let forms = [only(template.head.text, facts)]
  for (const span of template.templateSpans) {
    forms = append(forms, (held) => readSpan(r, { node: span.expression, frame }, held))
    forms = forms.map((form) => then(form, only(span.literal.text, form.facts)))
  }
  return forms.map(mark)
}

function readSpan(r: Reading, bound: Bound, facts: Facts): Form[] {
  return r.program.isFragment(bound.node) ? read(r, bound, facts) : [value(facts)]
}

function readAlias(r: Reading, node: ts.CallExpression, frame: Frame, facts: Facts): Form[] {
  const { expression } = node.expression as ts.PropertyAccessExpression
  const [name] = node.arguments
  if (name === undefined) throw new Unreadable(node, 'no alias')
  return append(
    read(r, { node: expression, frame }, facts).map((form) => then(form, only(' as ', form.facts))),
    (held) => readNames(r, { node: name, frame }, held),
  )
}

function readBuiltIn(r: Reading, node: ts.CallExpression, frame: Frame, facts: Facts): Form[] {
  const name = (node.expression as ts.PropertyAccessExpression).name.text
  const [first, second] = node.arguments
  if (first === undefined) throw new Unreadable(node, 'no argument')
  const bound = { node: first, frame }
  const mapped = (change: (text: string) => string) =>
    readStrings(r, bound, facts).map((one) => only(change(one.text), one.facts))
  if (name === 'ref' || name === 'table' || name === 'id') return mapped(quote)
  if (name === 'raw') return mapped((text) => text)
  if (name === 'val') return [value(facts)]
  if (name === 'lit') return readLiteral(r, bound, facts)
  if (name === 'join') return readJoin(r, bound, second ? { node: second, frame } : null, facts)
  throw new Unreadable(node, `sql.${name} is not known here`)
}

const readNames = (r: Reading, bound: Bound, facts: Facts) =>
  readStrings(r, bound, facts).map((one) => only(quote(one.text), one.facts))

function readLiteral(r: Reading, bound: Bound, facts: Facts): Form[] {
  return r.resolve(bound, facts).flatMap((one) => {
    if (ts.isNumericLiteral(one.node)) return [only(one.node.text, one.facts)]
    const type = r.program.checker.typeToString(
      r.program.typeOf(one.node) ?? r.program.checker.getUnknownType(),
    )
    if (type === 'number') return [only('1', one.facts)]
    if (type === 'string') return [only(literal('1'), one.facts)]
    return readStrings(r, one, one.facts).map((text) => only(literal(text.text), text.facts))
  })
}

/** A list is read with the members that it has, and one of which only the kind is known with two of that kind. */
function readJoin(r: Reading, bound: Bound, separator: Bound | null, facts: Facts): Form[] {
  return thinLists(readList(r, bound, facts)).flatMap(({ items, facts: held }) => {
    let forms = [emptyForm(held)]
    for (const [index, item] of items.entries()) {
      if (index > 0) {
        forms = append(forms, (known) => (separator ? read(r, separator, known) : [only(', ', known)]))
      }
      forms = append(forms, (known) => (item ? readSpan(r, item, known) : [value(known)]))
    }
    return forms
  })
}
