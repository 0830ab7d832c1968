import { patience, reasonOf } from './finding.ts'

/** The status of an answer, or why there is none. */
export async function fetchStatus(url: string): Promise<number | string> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(patience) })
    await answer.body?.cancel()
    return answer.status
  } catch (error) {
    return reasonOf(error as Error)
  }
}
