// What a file looks like when it is small: where people look at, and a picture for what has none.
import { t } from '../../../core/texts.ts'
import type { WrittenMedia } from '../../../data/writing/content.ts'
import { Button } from '../../controls/button.tsx'
import { Dialog } from '../../controls/dialog.tsx'
import { Field } from '../../controls/field.tsx'
import css from './media-dialog.module.css'
import { usePicture } from './use-picture.ts'

export interface MediaDialogProps {
  media: WrittenMedia
  onChange: (update: Partial<WrittenMedia>) => void
  onClose: () => void
}

export function MediaDialog({ media, onChange, onClose }: MediaDialogProps) {
  const picture = usePicture(media)
  const isPicture = media.type === 'image' || media.type === 'gifv'
  return (
    <Dialog title={t.compose.editMedia} onClose={onClose} size="wide">
      <div class={css['fields']}>
        {isPicture && picture !== null && <FocalPoint picture={picture} media={media} onChange={onChange} />}
        {!isPicture && (
          <Field
            label={t.compose.thumbnail}
            hint={t.compose.thumbnailHint}
            type="file"
            accept="image/*"
            onChange={(event) => {
              const [thumbnail] = (event.currentTarget as HTMLInputElement).files ?? []
              if (thumbnail) onChange({ thumbnail, isTold: false })
            }}
          />
        )}
        <Button look="main" onClick={onClose}>
          {t.compose.done}
        </Button>
      </div>
    </Dialog>
  )
}

const center = { x: 0, y: 0 }

/** By pointer or by two sliders: -1 to 1, from the left and from below. */
function FocalPoint({
  picture,
  media,
  onChange,
}: Pick<MediaDialogProps, 'media' | 'onChange'> & { picture: string }) {
  const { x, y } = media.focus ?? center
  const set = (focus: { x: number; y: number }) => onChange({ focus, isTold: false })
  const point = (event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect()
    const at = (value: number) => Math.round(Math.min(1, Math.max(-1, value)) * 100) / 100
    set({
      x: at(((event.clientX - box.left) / box.width) * 2 - 1),
      y: at(1 - ((event.clientY - box.top) / box.height) * 2),
    })
  }
  return (
    <>
      <p class={css['hint']}>{t.compose.focusHint}</p>
      <div
        class={css['picture']}
        onPointerDown={point}
        onPointerMove={(event) => {
          if (event.buttons > 0) point(event)
        }}
      >
        <img src={picture} alt="" draggable={false} />
        <span class={css['mark']} style={{ left: `${(x + 1) * 50}%`, top: `${(1 - y) * 50}%` }} />
      </div>
      <div class={css['sliders']}>
        {/* What is left in the picture is left here, in whichever direction one reads. */}
        <Slider
          label={t.compose.focusAcross}
          dir="ltr"
          value={x}
          onChange={(value) => set({ x: value, y })}
        />
        <Slider label={t.compose.focusUp} value={y} onChange={(value) => set({ x, y: value })} />
      </div>
    </>
  )
}

function Slider({
  label,
  value,
  onChange,
  ...more
}: {
  label: string
  dir?: 'ltr'
  value: number
  onChange: (value: number) => void
}) {
  return (
    <Field
      {...more}
      label={label}
      type="range"
      min={-1}
      max={1}
      step={0.05}
      value={value}
      onInput={(event) => onChange(Number((event.currentTarget as HTMLInputElement).value))}
    />
  )
}
