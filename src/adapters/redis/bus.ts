import type { Bus } from '#ports/bus.ts'
import { createListeners } from '../listeners.ts'
import { connectRedis, type RedisTarget } from './connect.ts'

/** More than this unanswered means that Redis hangs; further messages are lost instead of filling the memory. */
const maxUnanswered = 10_000
/** How often Redis is asked for a sign of life, in milliseconds: who only listens would never notice that it is gone. */
const askEvery = 10_000

/**
 * A bus between all processes that use the same Redis and prefix. One connection publishes, one listens, and only to
 * channels that someone here listens to. When the connection was lost, all of these are subscribed again.
 */
export async function createRedisBus(target: RedisTarget, every = askEvery): Promise<Bus> {
  const { prefix, log } = target
  const publisher = await connectRedis(target)
  const subscriber = await connectRedis(target).catch((error: unknown) => {
    publisher.disconnect()
    throw error
  })
  // A failure means a lost connection, and `ready` follows; or Redis hangs, and a new connection must come.
  const heal = () => {
    if (subscriber.status === 'ready') subscriber.disconnect(true)
  }
  const listeners = createListeners(log, {
    onFirst: (channel) => void subscriber.subscribe(prefix + channel).catch(heal),
    onLast: (channel) => void subscriber.unsubscribe(prefix + channel).catch(heal),
  })
  subscriber.on('ready', () => {
    const channels = listeners.channels().map((channel) => prefix + channel)
    if (channels.length > 0) subscriber.subscribe(...channels).catch(heal)
  })
  subscriber.on('message', (channel: string, message: string) => {
    listeners.deliver(channel.slice(prefix.length), message)
  })

  const asking = setInterval(() => {
    if (subscriber.status === 'ready') subscriber.ping().catch(heal)
  }, every).unref()

  let unanswered = 0
  const send = async (channel: string, message: string) => {
    unanswered++
    try {
      await publisher.publish(prefix + channel, message)
    } catch {
      log.debug({ channel }, 'a message of the bus is lost: Redis is away')
    } finally {
      unanswered--
    }
  }
  return {
    publish(channel, message) {
      if (unanswered < maxUnanswered) void send(channel, message)
    },
    mayReach: () => true,
    subscribe: (channel, listener) => listeners.add(channel, listener),
    async close() {
      clearInterval(asking)
      listeners.clear()
      publisher.disconnect()
      subscriber.disconnect()
    },
  }
}
