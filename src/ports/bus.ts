export type BusListener = (message: string) => void

/**
 * Publish and subscribe between processes, for streaming. At most once: a message is lost for those who are not
 * connected at that moment. Messages of one publisher on one channel keep their order.
 */
export interface Bus {
  /** Sends to everyone who is subscribed. Never throws and never waits: a message that cannot be sent is lost. */
  publish(channel: string, message: string): void
  /** False: certainly nobody is subscribed, so that a message need not be made. Across processes that is not known. */
  mayReach(channel: string): boolean
  /**
   * Calls `listener` for each message on the channel until the returned function is called (again calls do
   * nothing). An error in a listener is logged and does not reach the publisher or other listeners.
   */
  subscribe(channel: string, listener: BusListener): () => void
  /** Drops all subscriptions and connections. */
  close(): Promise<void>
}
