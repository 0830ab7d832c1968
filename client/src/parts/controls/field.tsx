// Fields of forms, each with its label.
import type { AllHTMLAttributes, TextareaHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'
import css from './field.module.css'

interface Told {
  label: string
  hint?: string
  /** What is wrong with it. */
  problem?: string
}

type Input = Omit<AllHTMLAttributes<HTMLInputElement>, 'class' | 'label' | 'role'>
type InputProps = Told & Input
type AreaProps = Told & Omit<TextareaHTMLAttributes, 'class' | 'label'>

export function Field({ label, hint, problem, ...input }: InputProps) {
  const id = useId()
  return (
    <div class={css['field']}>
      <label for={id}>{label}</label>
      <input class={css['input']} {...(input as object)} id={id} {...describedBy(id, hint, problem)} />
      <Note id={id} hint={hint} problem={problem} />
    </div>
  )
}

export function TextArea({ label, hint, problem, ...area }: AreaProps) {
  const id = useId()
  return (
    <div class={css['field']}>
      <label for={id}>{label}</label>
      <textarea class={css['input']} {...area} id={id} dir="auto" {...describedBy(id, hint, problem)} />
      <Note id={id} hint={hint} problem={problem} />
    </div>
  )
}

function describedBy(id: string, hint: string | undefined, problem: string | undefined) {
  return {
    ...((hint !== undefined || problem !== undefined) && { 'aria-describedby': `${id}-note` }),
    ...(problem !== undefined && { 'aria-invalid': true }),
  }
}

function Note({ id, hint, problem }: { id: string; hint: string | undefined; problem: string | undefined }) {
  const text = problem ?? hint
  if (text === undefined) return null
  return (
    <small id={`${id}-note`} class={problem === undefined ? css['hint'] : css['problem']}>
      {text}
    </small>
  )
}

interface SelectProps extends Told {
  value: string
  /** Each by its value and its words. */
  options: readonly (readonly [string, string])[]
  onChange: (value: string) => void
}

/** One of several, in a list that opens. */
export function Select({ label, hint, problem, value, options, onChange }: SelectProps) {
  const id = useId()
  return (
    <div class={css['field']}>
      <label for={id}>{label}</label>
      <select
        class={css['input']}
        id={id}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...describedBy(id, hint, problem)}
      >
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
      <Note id={id} hint={hint} problem={problem} />
    </div>
  )
}

interface ChoicesProps<V extends string> {
  legend: string
  options: readonly { value: V; label: string; hint?: string }[]
  value: V
  disabled?: boolean
  onChange: (value: V) => void
}

/** One of a few, all of them seen. */
export function Choices<V extends string>({
  legend,
  options,
  value,
  disabled = false,
  onChange,
}: ChoicesProps<V>) {
  const name = useId()
  return (
    <fieldset class={css['choices']} disabled={disabled}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} class={css['check']}>
          <input
            type="radio"
            name={name}
            aria-label={option.label}
            {...(option.hint !== undefined && { 'aria-describedby': `${name}-${option.value}` })}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            {option.label}
            {option.hint !== undefined && (
              <small id={`${name}-${option.value}`} class={css['hint']}>
                {option.hint}
              </small>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** A box to tick, or with `role="switch"` a switch. */
export function Check({ label, ...input }: { label: string } & Omit<Input, 'type'>) {
  return (
    <label class={css['check']}>
      <input {...(input as object)} type="checkbox" />
      <span>{label}</span>
    </label>
  )
}
