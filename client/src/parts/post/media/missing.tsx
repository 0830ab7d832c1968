// Files that are not there, or that the browser cannot show: words in their place.
import { useState } from 'preact/hooks'
import type { MediaAttachment } from '#entities/media-attachment.ts'
import { isOnline } from '../../../api/client.ts'
import { t } from '../../../core/texts.ts'
import { isWebAddress } from '../../../core/web-address.ts'
import { Button } from '../../controls/button.tsx'

/** Whether a file could not be loaded. It is tried anew when the network is back, when it is another one, and by `retry`. */
export function useMissing(address: string) {
  const trial = `${isOnline.value} ${address}`
  const [failed, setFailed] = useState<string | null>(null)
  return {
    isMissing: failed === trial,
    onError: () => setFailed(trial),
    retry: () => setFailed(null),
  }
}

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
