// Who listens to what in this process.
import type { Bus } from '#ports/bus.ts'
import { accessChannel, personChannel } from '#lib/stream-channels.ts'
import type { Connection } from './connection.ts'
import type { Stream, TopicKind } from './streams.ts'
import type { AccountId } from '#lib/id.ts'

/** What several connections follow together. */
export interface Topic {
  readonly kind: TopicKind
  readonly channels: readonly string[]
  /** With the label that each wants on what it is sent. */
  readonly followers: Map<Connection, string>
}

export interface Hub {
  readonly connections: ReadonlySet<Connection>
  readonly topics: ReadonlyMap<string, Topic>
  /** By account. */
  connectionsOf(accountId: AccountId): ReadonlySet<Connection>
  accounts(): AccountId[]
  add(connection: Connection): void
  /** Ends all that it follows. False: it was not there. */
  remove(connection: Connection): boolean
  /** In force at once. Idempotent. */
  follow(connection: Connection, stream: Stream): void
  unfollow(connection: Connection, topic: string): void
}

const nobody: ReadonlySet<Connection> = new Set()

/** Listens on the bus only to channels that some connection needs. */
export function createHub(bus: Bus, onMessage: (channel: string, message: string) => void): Hub {
  const connections = new Set<Connection>()
  const topics = new Map<string, Topic>()
  const byAccount = new Map<AccountId, Set<Connection>>()
  const channels = createChannels(bus, onMessage)

  function unfollow(connection: Connection, name: string): void {
    const topic = topics.get(name)
    connection.topics.delete(name)
    if (!topic?.followers.delete(connection) || topic.followers.size > 0) return
    topics.delete(name)
    channels.release(topic.channels)
  }

  return {
    connections,
    topics,
    connectionsOf: (accountId) => byAccount.get(accountId) ?? nobody,
    accounts: () => [...byAccount.keys()],
    add(connection) {
      if (connections.size === 0) channels.take([accessChannel])
      connections.add(connection)
      const own = byAccount.get(connection.accountId)
      if (own) own.add(connection)
      else {
        byAccount.set(connection.accountId, new Set([connection]))
        channels.take([personChannel(connection.accountId)])
      }
    },
    remove(connection) {
      if (!connections.delete(connection)) return false
      for (const name of connection.topics) unfollow(connection, name)
      const own = byAccount.get(connection.accountId)
      own?.delete(connection)
      if (own?.size === 0) {
        byAccount.delete(connection.accountId)
        channels.release([personChannel(connection.accountId)])
      }
      if (connections.size === 0) channels.release([accessChannel])
      return true
    },
    follow(connection, stream) {
      if (!connections.has(connection) || connection.topics.has(stream.topic)) return
      let topic = topics.get(stream.topic)
      if (!topic) {
        topic = { kind: stream.kind, channels: stream.channels, followers: new Map() }
        topics.set(stream.topic, topic)
        channels.take(stream.channels)
      }
      topic.followers.set(connection, stream.label)
      connection.topics.add(stream.topic)
    },
    unfollow,
  }
}

/** Subscriptions to the bus, each as long as somebody needs it. */
function createChannels(bus: Bus, onMessage: (channel: string, message: string) => void) {
  const held = new Map<string, { users: number; stop: () => void }>()
  return {
    take(names: readonly string[]) {
      for (const name of names) {
        const known = held.get(name)
        if (known) known.users++
        else held.set(name, { users: 1, stop: bus.subscribe(name, (message) => onMessage(name, message)) })
      }
    },
    release(names: readonly string[]) {
      for (const name of names) {
        const known = held.get(name)
        if (!known || --known.users > 0) continue
        known.stop()
        held.delete(name)
      }
    },
  }
}
