import { t } from '../../core/texts.ts'
import { EmojiPicker } from '../composer/emoji/emoji-picker.tsx'
import { Dialog } from '../controls/dialog.tsx'

export interface ReactionPickerProps {
  onPick: (emoji: string) => void
  onClose: () => void
}

/** Closes with the first that is picked. */
export const ReactionPicker = ({ onPick, onClose }: ReactionPickerProps) => (
  <Dialog title={t.reactions.add} onClose={onClose}>
    <EmojiPicker
      onPick={(emoji) => {
        onClose()
        onPick(emoji)
      }}
    />
  </Dialog>
)
