import { useEffect, useMemo } from 'preact/hooks'
import type { WrittenMedia } from '../../../data/writing/content.ts'

/** The address of what is shown: the server's, or of the file while the server has none. */
export function usePicture({ attachment, file, type, thumbnail }: WrittenMedia): string | null {
  const shown = thumbnail ?? (type === 'image' ? file : null)
  const local = useMemo(() => (shown ? URL.createObjectURL(shown) : null), [shown])
  useEffect(
    () => () => {
      if (local !== null) URL.revokeObjectURL(local)
    },
    [local],
  )
  return local ?? attachment?.preview_url ?? null
}
