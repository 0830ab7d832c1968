import { useState } from 'preact/hooks'
import { isOnline } from '../../api/client.ts'

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
