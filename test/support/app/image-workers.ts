import { createImageWorkers, type ImageWorkers } from '#adapters/media/images/image-workers.ts'
import { keepProcesses } from '#test/processes/run-folder.ts'
import { quietLog } from './log.ts'

let shared: ImageWorkers | undefined

/** The processes that read pictures for all servers of this process: to start them costs more than most tests. */
export function sharedImageWorkers(): ImageWorkers {
  if (!shared) keepProcesses((shared = createImageWorkers({ log: quietLog })).pids)
  return shared
}
