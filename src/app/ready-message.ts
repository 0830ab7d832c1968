/** What a process tells the one that started it over their channel, where there is one, once it serves. */
export const readyMessage = 'ready'

/** Tells the process that started this one that it serves. Does nothing without a channel to it. */
export function notifyReady(): void {
  process.send?.(readyMessage)
}
