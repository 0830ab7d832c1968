import { question } from '../core/confirm.ts'
import { t } from '../core/texts.ts'
import { Button } from '../parts/controls/button.tsx'
import { Dialog } from '../parts/controls/dialog.tsx'
import css from './question.module.css'

/** The question that waits for an answer: see core/confirm.ts. */
export function QuestionDialog() {
  const asked = question.value
  if (!asked) return null
  const close = () => {
    question.value = null
  }
  return (
    <Dialog title={asked.title} onClose={close}>
      {asked.text !== undefined && <p>{asked.text}</p>}
      <div class={css['buttons']}>
        <Button onClick={close}>{t.common.cancel}</Button>
        <Button
          look="alarm"
          onClick={() => {
            close()
            asked.run()
          }}
        >
          {asked.action}
        </Button>
      </div>
    </Dialog>
  )
}
