// Controls of forms besides plain fields: a few values to choose from, and the parts into which a long form falls.
import { html } from 'hono/html'
import type { ParamTree } from '#http/kit/params/params.ts'
import { textParam, type Choice } from './form.ts'
import type { Html } from './html.ts'

export interface Option extends Choice {
  /** What it means, below its label. */
  hint?: string
}

interface Options {
  name: string
  label: string
  options: readonly Option[]
  hint?: string | undefined
  problem?: string | undefined
}

/** A few values, all to be seen at once, of which one is chosen: `value`. */
export const renderRadios = ({ value, ...options }: Options & { value: string }): Html =>
  renderOptions(options, 'radio', [value])

/** The same where several may be chosen. They are sent as a list. */
export const renderBoxes = ({ values, ...options }: Options & { values: readonly string[] }): Html =>
  renderOptions({ ...options, name: `${options.name}[]` }, 'checkbox', values)

function renderOptions(
  { name, label, options, hint, problem }: Options,
  type: 'radio' | 'checkbox',
  chosen: readonly string[],
): Html {
  const told = problem ?? hint
  const note = `field-${name.replaceAll(/\W+/g, '-')}-note`
  return html`<fieldset
    class="choices"
    ${told ? html`aria-describedby="${note}"` : ''}
    ${problem ? html`aria-invalid="true"` : ''}
  >
    <legend>${label}</legend>
    ${told ? html`<small id="${note}" class="${problem ? 'problem' : 'hint'}">${told}</small>` : ''}
    ${options.map(
      (option) =>
        html`<label class="check"
          ><input
            type="${type}"
            name="${name}"
            value="${option.value}"
            ${chosen.includes(option.value) ? html`checked` : ''}
          />
          <span>${option.label}${option.hint ? html`<br /><small>${option.hint}</small>` : ''}</span></label
        >`,
    )}
  </fieldset>`
}

/** A part of a form under a heading of its own. */
export function renderPart(part: {
  /** Its address within the page, to which the search leads. */
  id: string
  title: string
  hint?: Html | string
  fields: readonly (Html | string)[]
}): Html {
  return html`<section class="part" id="${part.id}" aria-labelledby="${part.id}-title">
    <h2 id="${part.id}-title">${part.title}</h2>
    ${part.hint ? html`<p class="soft">${part.hint}</p>` : ''} ${part.fields}
  </section>`
}

/** Whether the box of this name was ticked: boxes that are not are not sent. */
export const isTicked = (params: ParamTree, ...name: [string, ...string[]]): boolean =>
  textParam(params, ...name) === '1'

/** Returns the one of `values` that was sent, or the first of them. */
export function oneOf<T extends string>(
  params: ParamTree,
  name: [string, ...string[]],
  values: readonly [T, ...T[]],
): T {
  const sent = textParam(params, ...name)
  return values.find((value) => value === sent) ?? values[0]
}
