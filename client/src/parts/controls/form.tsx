// A form that asks the server: what it refuses is said above the buttons, and what was typed stays.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { wordsOf } from '../../api/errors.ts'
import { t } from '../../core/texts.ts'
import { Button } from './button.tsx'
import css from './form.module.css'

export interface FormProps {
  children: ComponentChildren
  /** The words of the button that sends it. */
  action: string
  /** Sends it. What it throws is said. */
  onSend: () => Promise<unknown>
  onCancel?: () => void
  /** Buttons at the other end. */
  more?: ComponentChildren
  /** Its name for screen readers, where no dialog has one. */
  label?: string
}

export function Form({ children, action, onSend, onCancel, more, label }: FormProps) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const send = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await onSend()
    } catch (error) {
      setProblem(wordsOf(error))
    }
    setBusy(false)
  }
  return (
    <form
      class={css['form']}
      {...(label !== undefined && { 'aria-label': label })}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) void send()
      }}
    >
      {children}
      {problem !== null && (
        <p class={css['problem']} role="alert">
          {problem}
        </p>
      )}
      <p class={css['buttons']}>
        <Button look="main" type="submit" disabled={isBusy}>
          {action}
        </Button>
        {onCancel && <Button onClick={onCancel}>{t.common.cancel}</Button>}
        {more && <span class={css['more']}>{more}</span>}
      </p>
    </form>
  )
}
