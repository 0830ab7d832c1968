import { t } from '../../core/texts.ts'
import { Button } from '../controls/button.tsx'
import css from './problem.module.css'

/** What stands where something could not be shown, with a way to try again. */
export function Problem({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <div class={css['problem']} role="alert">
      <p>{text}</p>
      <Button onClick={onRetry ?? (() => location.reload())}>{t.common.retry}</Button>
    </div>
  )
}
