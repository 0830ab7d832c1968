// Forms of the desk as lists of fields: how they look, what was typed into them, and what is wrong with it.
import { html } from 'hono/html'
import { isAppError } from '#lib/errors.ts'
import { describeFields } from '#lib/messages/describe-error.ts'
import { isTree, isUploadedFile, type ParamValue, type UploadedFile } from '#http/kit/params/params.ts'
import {
  hiddenFields,
  renderCheckbox,
  renderField,
  renderSelect,
  textParam,
  type Choice,
  type FieldOptions,
} from '../../kit/form.ts'
import { renderBoxes, type Option } from '../../kit/controls.ts'
import type { Html } from '../../kit/html.ts'
import type { DeskCall } from './admin-page.ts'

interface Common {
  /** The parameter: the name under which the command refuses it too. */
  name: string
  label: string
  hint?: string
}

export type Field =
  | (Common & { kind: 'text'; type?: FieldOptions['type']; required?: boolean; maxLength?: number })
  | (Common & { kind: 'area'; rows?: number; required?: boolean })
  /** One of several; of few they stand below each other. */
  | (Common & { kind: 'choice'; choices: readonly Choice[] })
  | (Common & { kind: 'box' })
  /** Several of several. */
  | (Common & { kind: 'boxes'; choices: readonly Option[] })
  | (Common & { kind: 'file'; accept: string; required?: boolean })
  /** Those below a heading of their own. */
  | { kind: 'group'; label: string; hint?: string; fields: readonly Field[] }

/** What stands in a form: texts by the names of fields, `'1'` for a box that is ticked, lists for several of several. */
export type Entered = Readonly<Record<string, string | readonly string[]>>

/** What is wrong by the names of fields; under `base` what is wrong with none alone. */
export type Problems = Readonly<Record<string, string>>

/** Does what a form asks for. Returns what came of it, or what is wrong with the form. Other errors are thrown on. */
export async function attempt<T>(
  call: DeskCall,
  work: () => Promise<T>,
): Promise<{ done: T } | { problems: Problems }> {
  try {
    return { done: await work() }
  } catch (error) {
    if (!isAppError(error, 'invalid') && !isAppError(error, 'conflict')) throw error
    return { problems: describeFields(error.reason, call.language) }
  }
}

/** What was typed into these fields. */
export function readEntered(call: DeskCall, fields: readonly Field[]): Entered {
  const entries = flatten(fields).map((field): [string, string | string[]] => [
    field.name,
    field.kind === 'boxes' ? textsOf(call.params[field.name]) : textParam(call.params, field.name),
  ])
  return Object.fromEntries(entries)
}

type Plain = Exclude<Field, { kind: 'group' }>

const flatten = (fields: readonly Field[]): Plain[] =>
  fields.flatMap((field) => (field.kind === 'group' ? flatten(field.fields) : [field]))

function textsOf(value: ParamValue | undefined): string[] {
  const values = Array.isArray(value) ? value : isTree(value) ? Object.values(value) : [value]
  return values.filter((one): one is string => typeof one === 'string' && one !== '')
}

/** The text of a field, as it was typed. */
export function textOf(entered: Entered, name: string): string {
  const value = entered[name]
  return typeof value === 'string' ? value : ''
}

export const isTicked = (entered: Entered, name: string): boolean => textOf(entered, name) === '1'

/** What was ticked of several. */
export const listOf = (entered: Entered, name: string): readonly string[] => {
  const value = entered[name]
  return typeof value === 'object' ? value : []
}

/** The lines of a field, without those that are empty. */
export const linesOf = (entered: Entered, name: string): string[] =>
  textOf(entered, name)
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The number in a field: undefined for none, NaN for what is no whole number. */
export function numberOf(entered: Entered, name: string): number | undefined {
  const text = textOf(entered, name).trim()
  if (text === '') return undefined
  return /^-?\d{1,9}$/.test(text) ? Number(text) : NaN
}

/** Sorted as the form of a box. */
export const boxed = (value: boolean): string => (value ? '1' : '')

/** The file that came with a form; undefined when none was chosen. */
export function fileOf(call: DeskCall, name: string): UploadedFile | undefined {
  const value = call.params[name]
  return isUploadedFile(value) && value.size > 0 ? value : undefined
}

export interface FormContent {
  action: string
  fields: readonly Field[]
  entered: Entered
  problems?: Problems | undefined
  submit: string
  hidden?: Record<string, string>
  /** Further buttons, which send the same fields elsewhere. */
  others?: readonly { action: string; label: string }[]
  method?: 'get' | 'post'
}

/** The same for who may look at it and not change it. */
export const renderLockedFields = (fields: readonly Field[], entered: Entered): Html =>
  html`<fieldset disabled class="fields">${fields.map((field) => renderOne(field, entered, {}))}</fieldset>`

/** A form with these fields as they were filled in. */
export function renderFieldsForm(call: DeskCall, form: FormContent): Html {
  const { problems = {}, others = [], method = 'post' } = form
  const known = new Set(flatten(form.fields).map(({ name }) => name))
  const general = Object.entries(problems).flatMap(([name, text]) => (known.has(name) ? [] : [text]))
  const hasFile = flatten(form.fields).some(({ kind }) => kind === 'file')
  return html`<form
    method="${method}"
    action="${form.action}"
    enctype="${hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded'}"
    accept-charset="utf-8"
    class="fields"
  >
    ${method === 'post' ? hiddenFields(call.ctx, call.browser, form.hidden) : ''}
    ${general.map((text) => html`<p class="problem" role="alert">${text}</p>`)}
    ${form.fields.map((field) => renderOne(field, form.entered, problems))}
    <div class="actions">
      <button type="submit" class="main">${form.submit}</button>
      ${others.map(
        ({ action, label }) =>
          html`<button type="submit" class="quiet" formaction="${action}" formnovalidate>${label}</button>`,
      )}
    </div>
  </form>`
}

/** A field that nothing was typed into yet, for a form of another kind. */
export const renderFieldAlone = (field: Field): Html => renderOne(field, {}, {})

function renderOne(field: Field, entered: Entered, problems: Problems): Html {
  if (field.kind === 'group') {
    return html`<fieldset>
      <legend>${field.label}</legend>
      ${field.hint ? html`<p class="hint">${field.hint}</p>` : ''}
      ${field.fields.map((one) => renderOne(one, entered, problems))}
    </fieldset>`
  }
  return renderPlain(field, entered, problems[field.name])
}

function renderPlain(field: Plain, entered: Entered, problem: string | undefined): Html {
  const { name, label } = field
  const value = textOf(entered, name)
  const note = { ...(field.hint && { hint: field.hint }), ...(problem && { problem }) }
  switch (field.kind) {
    case 'text':
      return renderField({
        name,
        label,
        value,
        ...note,
        type: field.type ?? 'text',
        required: field.required ?? false,
        ...(field.maxLength && { maxLength: field.maxLength }),
      })
    case 'area':
      return renderField({
        name,
        label,
        value,
        ...note,
        rows: field.rows ?? 4,
        required: field.required ?? false,
      })
    case 'choice':
      return renderSelect({ name, label, value, choices: field.choices, ...note })
    case 'box':
      return html`${renderCheckbox({ name, label, checked: value === '1', ...(problem && { problem }) })}${
        field.hint ? html`<small class="hint below">${field.hint}</small>` : ''
      }`
    case 'boxes':
      return renderBoxes({ name, label, options: field.choices, values: listOf(entered, name), ...note })
    case 'file':
      return renderFile(field, problem)
  }
}

function renderFile(
  { name, label, hint, accept, required }: Extract<Field, { kind: 'file' }>,
  problem: string | undefined,
): Html {
  const id = `field-${name}`
  const told = problem ?? hint
  return html`<label for="${id}">${label}</label>
    <input
      id="${id}"
      type="file"
      name="${name}"
      accept="${accept}"
      ${required ? html`required` : ''}
      ${told ? html`aria-describedby="${id}-note"` : ''}
      ${problem ? html`aria-invalid="true"` : ''}
    />
    ${told ? html`<small id="${id}-note" class="${problem ? 'problem' : 'hint'}">${told}</small>` : ''}`
}
