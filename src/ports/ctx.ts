import type { Config } from '#config/config.ts'
import type { Db } from '#db/schema/schema.ts'
import type { VapidKeys } from '#lib/vapid-keys.ts'
import type { ActivityPub } from './activity-pub.ts'
import type { Bus } from './bus.ts'
import type { Caches } from './cache.ts'
import type { Changes } from './changes.ts'
import type { Clock } from './clock.ts'
import type { Dns } from './dns.ts'
import type { Doctor } from './doctor.ts'
import type { Event } from './events.ts'
import type { HttpClient } from './http-client.ts'
import type { Directory, IdentityProvider } from './identity-providers.ts'
import type { Images } from './images.ts'
import type { Jobs } from './jobs.ts'
import type { Kv } from './kv.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mailer.ts'
import type { MediaProcessor } from './media-processor.ts'
import type { Meter } from './meter.ts'
import type { PoolUse } from './metrics.ts'
import type { Push } from './push.ts'
import type { Remote } from './remote.ts'
import type { Storage } from './storage.ts'
import type { Trace } from './trace.ts'
import type { Translator } from './translator.ts'
import type { AnyId } from '#lib/id.ts'

export type { Config }
export type { RobotCheck } from '#config/robots.ts'

/** What a query needs. Both `Ctx` and `Tx` are one. */
export interface Reader {
  readonly config: Config
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
}

/** Everything a command may use, built once in `app/` and passed first. */
export interface Ctx extends Reader {
  /** Keys that were made once for this server. */
  readonly secrets: Secrets
  readonly caches: Caches
  /** What of the database was changed, of that which decides who somebody is and what they may. */
  readonly changes: Changes
  readonly kv: Kv
  readonly bus: Bus
  readonly jobs: Jobs
  readonly storage: Storage
  readonly images: Images
  readonly media: MediaProcessor
  readonly mailer: Mailer
  readonly push: Push
  /** The way to addresses that strangers chose. */
  readonly http: HttpClient
  /** Where mail for the addresses of strangers goes. */
  readonly dns: Dns
  /** What other servers are asked for. */
  readonly remote: Remote
  /** What other servers ask this one, and tell it. */
  readonly activityPub: ActivityPub
  /** Others who may say who somebody is. */
  readonly identityProviders: readonly IdentityProvider[]
  /** null: nobody is looked up by name and password but here. */
  readonly directory: Directory | null
  /** null: nothing is translated. */
  readonly translator: Translator | null
  /** What looks at the server from outside. */
  readonly doctor: Doctor
  /** What is counted where it happens. */
  readonly meter: Meter
  /** What is told of the way that work takes. */
  readonly trace: Trace
  /** How busy this process's connections to the database are. */
  poolUse(): PoolUse
  /**
   * This one, whose `db` asks a replica where there is one, and no statement is answered by less than was committed when it
   * was asked (docs/adr/0027). For lists; what one row answers is had for less from the database itself.
   */
  readonly replicated: Ctx
  /** A new snowflake id, rising. */
  newId<Id extends AnyId>(): Id
  /**
   * Runs `fn` in one database transaction: it commits when `fn` resolves and rolls back when it throws.
   * Deadlocks and serialisation failures run it again, so it must have no effect outside the database.
   */
  transaction<T>(fn: (tx: Tx) => Promise<T>): Promise<T>
}

/** What a transaction hands out: no network, so that none can happen while rows are locked. */
export interface Tx extends Reader {
  newId<Id extends AnyId>(): Id
  /** Puts the event into the outbox of the same transaction: it happens if, and only if, this commits. */
  emit(event: Event): Promise<void>
}

export interface Secrets {
  /** 32 random bytes in hex from which other keys are derived. */
  readonly secretKeyBase: string
  readonly vapid: Readonly<VapidKeys>
}
