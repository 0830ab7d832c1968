import { dismiss, notices } from '../../core/tell.ts'
import { Button } from '../controls/button.tsx'
import css from './notices.module.css'

/** The status region: always there, so that screen readers hear what comes into it. */
export function Notices() {
  return (
    <div class={css['notices']} role="status">
      {notices.value.map(({ id, text, kind, action }) => (
        <p key={id} class={`${css['notice']} ${css[kind]}`}>
          <span>{text}</span>
          {action && (
            <Button
              look="plain"
              onClick={() => {
                dismiss(id)
                action.run()
              }}
            >
              {action.label}
            </Button>
          )}
        </p>
      ))}
    </div>
  )
}
