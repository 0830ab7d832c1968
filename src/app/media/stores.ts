// The places where media can be.
import path from 'node:path'
import { createDiskStorage } from '#adapters/disk/storage.ts'
import { createHttpClient } from '#adapters/http-client/http-client.ts'
import { createS3Storage } from '#adapters/s3/storage.ts'
import { loadConfig, type Config } from '#config/config.ts'
import type { HttpClient } from '#ports/http-client.ts'
import type { Log } from '#ports/log.ts'
import type { Storage } from '#ports/storage.ts'

/** The store that the configuration names. */
export function createStorage(config: Config, http: HttpClient): Storage {
  return config.s3 ? createS3Storage({ config: config.s3, http }) : openDisk(config)
}

const openDisk = ({ dataDir }: Config) => createDiskStorage({ directory: path.join(dataDir, 'media') })

export type StoreName = 'disk' | 's3'

export interface Stores extends Record<StoreName, Storage> {
  /** Where the server keeps media now. */
  current: StoreName
  close(): Promise<void>
}

/** Opens both stores, whichever is in use. Throws ConfigError when the environment does not name the bucket. */
export function openStores(env: NodeJS.ProcessEnv, log: Log): Stores {
  const config = loadConfig({ ...env, S3_ENABLED: 'true' })
  const http = createHttpClient({ config, log, destinations: 'configured' })
  return {
    disk: openDisk(config),
    s3: createStorage(config, http),
    current: loadConfig(env).s3 ? 's3' : 'disk',
    close: () => http.close(),
  }
}
