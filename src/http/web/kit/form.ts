// Forms: their hidden token, their fields, and reading back what was sent.
import { html } from 'hono/html'
import type { Ctx } from '#ports/ctx.ts'
import { isTree, type ParamTree, type ParamValue } from '#http/kit/params/params.ts'
import { formToken, type Browser } from './session.ts'
import type { Html } from './html.ts'

/** The hidden field that proves that a form is ours. Scripts may send it as `X-CSRF-Token` instead. */
export const formTokenName = 'authenticity_token'

/** Hidden inputs: the token, and further names with their values. Every form that posts needs them. */
export function hiddenFields(
  ctx: Ctx,
  browser: Browser,
  values: Record<string, string | undefined> = {},
): Html {
  const pairs = Object.entries({ [formTokenName]: formToken(ctx, browser), ...values })
  return html`${pairs.map(([name, value]) =>
    value === undefined ? '' : html`<input type="hidden" name="${name}" value="${value}" />`,
  )}`
}

export interface FormOptions {
  action: string
  fields: readonly (Html | string)[]
  submit: string
  hidden?: Record<string, string | undefined>
  /** A problem with what was sent, shown above the fields. */
  problem?: Html | string | null
  /** The button stands back, as for a refusal. */
  quiet?: boolean
  /** Whether it sends files. */
  files?: boolean
  /** What a script of the page needs to know, by the name of its attribute without `data-`. */
  data?: Readonly<Record<string, string>>
  /** What the button means, where its words stand several times on a page. */
  about?: string
}

/** A form that posts to this server, with its token. */
export function renderForm(call: { ctx: Ctx; browser: Browser }, form: FormOptions): Html {
  const problem = form.problem ? html`<p class="problem" role="alert">${form.problem}</p>` : ''
  const encoding = form.files ? 'multipart/form-data' : 'application/x-www-form-urlencoded'
  const name = form.about ? `${form.submit}: ${form.about}` : form.submit
  const label = form.about ? html`aria-label="${name}"` : ''
  const data = Object.entries(form.data ?? {}).map(([key, value]) => html` data-${key}="${value}"`)
  return html`<form
    method="post"
    action="${form.action}"
    accept-charset="utf-8"
    enctype="${encoding}"
    ${data}
  >
    ${hiddenFields(call.ctx, call.browser, form.hidden)} ${problem} ${form.fields}
    <button type="submit" class="${form.quiet ? 'quiet' : 'main'}" ${label}>${form.submit}</button>
  </form>`
}

export interface FieldOptions {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'date' | 'datetime-local' | 'number' | 'search' | 'url' | 'color'
  value?: string
  hint?: string
  /** What is wrong with it. */
  problem?: string | undefined
  /** What browsers and password managers fill in: `username`, `current-password`, … */
  autocomplete?: string
  required?: boolean
  autofocus?: boolean
  /** Which keys a phone shows. */
  inputMode?: 'numeric'
  minLength?: number
  maxLength?: number
  /** A field for longer texts, this high. */
  rows?: number
}

/** A label with its input. */
export function renderField(field: FieldOptions): Html {
  const id = `field-${field.name.replaceAll(/\W+/g, '-')}`
  const told = field.problem ?? field.hint
  const note = told
    ? html`<small id="${id}-note" class="${field.problem ? 'problem' : 'hint'}">${told}</small>`
    : ''
  if (field.rows !== undefined) {
    const described = told ? html`aria-describedby="${id}-note"` : ''
    return html`<label for="${id}">${field.label}</label>
      <textarea
        id="${id}"
        name="${field.name}"
        rows="${field.rows}"
        ${attributes({ ...field, value: undefined })}
        ${described}
      >
${field.value ?? ''}</textarea>
      ${note}`
  }
  return html`<label for="${id}">${field.label}</label>
    <input
      id="${id}"
      name="${field.name}"
      type="${field.type ?? 'text'}"
      ${attributes(field)}
      ${told ? html`aria-describedby="${id}-note"` : ''}
    />
    ${note}`
}

function attributes(field: FieldOptions): Html {
  const one = (name: string, value: string | number | undefined) =>
    value === undefined ? '' : html`${name}="${value}" `
  const value = field.type === 'password' ? undefined : field.value
  const plain = field.type === 'email' || field.autocomplete === 'username'
  return html`${one('value', value)}${one('autocomplete', field.autocomplete)}${one('inputmode', field.inputMode)}${one('minlength', field.minLength)}${one(
    'maxlength',
    field.maxLength,
  )}${plain ? html`autocapitalize="none" spellcheck="false" ` : ''}${field.problem ? html`aria-invalid="true" ` : ''}${
    (field.required ?? true) ? html`required ` : ''
  }${field.autofocus ? html`autofocus` : ''}`
}

export interface Choice {
  value: string
  label: string
}

/** A label with a list of which one is chosen. */
export function renderSelect(select: {
  name: string
  label: string
  value: string
  choices: readonly Choice[]
  hint?: string
  /** What is wrong with it. */
  problem?: string
}): Html {
  const id = `field-${select.name.replaceAll(/\W+/g, '-')}`
  const told = select.problem ?? select.hint
  return html`<label for="${id}">${select.label}</label>
    <select
      id="${id}"
      name="${select.name}"
      ${told ? html`aria-describedby="${id}-note"` : ''}
      ${select.problem ? html`aria-invalid="true"` : ''}
    >
      ${select.choices.map(
        ({ value, label }) =>
          html`<option value="${value}" ${value === select.value ? html`selected` : ''}>${label}</option>`,
      )}
    </select>
    ${told ? html`<small id="${id}-note" class="${select.problem ? 'problem' : 'hint'}">${told}</small>` : ''}`
}

/** A box to tick. It sends `1` when ticked. */
export function renderCheckbox(box: {
  name: string
  label: Html | string
  required?: boolean
  checked?: boolean
  /** What it means, below its label. */
  hint?: Html | string
  problem?: string
}): Html {
  const hint = box.hint ? html`<br /><small>${box.hint}</small>` : ''
  const problem = box.problem ? html`<small class="problem">${box.problem}</small>` : ''
  return html`<label class="check"
      ><input
        type="checkbox"
        name="${box.name}"
        value="1"
        ${box.required ? html`required` : ''}
        ${box.checked ? html`checked` : ''}
      />
      <span>${box.label}${hint}</span></label
    >${problem}`
}

/** A text of a form, such as `textParam(params, 'user', 'email')` for `user[email]`. `''` when it is not there. */
export function textParam(params: ParamTree, ...path: [string, ...string[]]): string {
  let value: ParamValue | undefined = params
  for (const name of path) value = isTree(value) ? value[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** As `textParam`, with `undefined` for what is not there. */
export function textParamOrUndefined(params: ParamTree, ...path: [string, ...string[]]): string | undefined {
  return textParam(params, ...path) || undefined
}
