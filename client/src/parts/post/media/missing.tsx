// Files that are not there, or that the browser cannot show: words in their place.
import type { MediaAttachment } from '#entities/media-attachment.ts'
import { t } from '../../../core/texts.ts'
import { isWebAddress } from '../../../core/web-address.ts'
import { Button } from '../../controls/button.tsx'

/** That a file could not be loaded, and what can be done: to try again, or to look where it came from. */
export function Missing({ media, onRetry }: { media: MediaAttachment; onRetry: () => void }) {
  return (
    <>
      <p>{t.media.missing}</p>
      <Button onClick={onRetry}>{t.common.retry}</Button>
      {isWebAddress(media.remote_url) && <OriginalFile address={media.remote_url} />}
    </>
  )
}

/** Where another server has it. */
export const OriginalFile = ({ address, label }: { address: string; label?: string | null }) => (
  <a href={address} target="_blank" rel="nofollow noopener noreferrer">
    {label || t.media.elsewhere}
  </a>
)
