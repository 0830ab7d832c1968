import { tell } from '../../core/tell.ts'
import { t } from '../../core/texts.ts'
import type { Intent } from '../../data/compose.ts'
import { Dialog } from '../controls/dialog.tsx'
import { Composer, titleOf } from './composer.tsx'

/** A composer above the page. What is written stays when it is closed. */
export function ComposerDialog({ intent, onClose }: { intent: Intent; onClose: () => void }) {
  return (
    <Dialog title={titleOf(intent)} size="wide" onClose={onClose}>
      <Composer
        intent={intent}
        isMain
        onDone={onClose}
        onLeave={(isKept) => {
          if (isKept) tell(t.compose.kept)
        }}
      />
    </Dialog>
  )
}
