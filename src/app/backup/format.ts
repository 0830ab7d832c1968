// The file of a backup: a tar whose entries are, in this order,
//   stonechat-backup.json      what it is (Head)
//   secrets.json               keys that are not in the database (Keys)
//   tables/NAME/000001.zst …   rows as COPY writes them, each part for itself and compressed by zstd
//   sequences.json             the last value of each
//   media/KEY                  files, as they are
//   manifest.json              what all of it comes to (Manifest)
//   manifest.sha256            the hash of that
// and between them sums/000001 …: the SHA-256 of each entry since the one before, as sha256sum writes and checks them.
// `tar`, `zstd` and `psql` get everything out without this program.
import { z } from 'zod'
import { mendVapidKeys } from '#lib/vapid-keys.ts'

/** Goes up when an older program could not read the file any more. */
export const formatVersion = 1

export const names = {
  head: 'stonechat-backup.json',
  keys: 'secrets.json',
  sequences: 'sequences.json',
  manifest: 'manifest.json',
  manifestSum: 'manifest.sha256',
  tables: 'tables/',
  media: 'media/',
  sums: 'sums/',
} as const

export const numbered = (number: number) => String(number).padStart(6, '0')

/** `own`: without copies of other servers' files. */
export type MediaChoice = 'all' | 'own' | 'none'

const count = z.int().min(0)

export const headShape = z.object({
  format: z.int(),
  id: z.uuid(),
  /** The version that wrote it. */
  software: z.string(),
  /** The number of the newest migration. */
  schema: count,
  localDomain: z.string(),
  /** Under which every account and post has its address. */
  baseUrl: z.url(),
  createdAt: z.iso.datetime(),
  media: z.enum(['all', 'own', 'none']),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1).readonly() })),
})
export type Head = z.infer<typeof headShape>

export const keysShape = z.object({
  secretKeyBase: z.string().min(1),
  vapid: z.object({ publicKey: z.string(), privateKey: z.string() }).transform(mendVapidKeys),
})
export type Keys = z.infer<typeof keysShape>

export const sequencesShape = z.record(z.string(), z.string().regex(/^-?\d+$/))

export const manifestShape = z.object({
  id: z.uuid(),
  /** Rows of each table. */
  rows: z.record(z.string(), count),
  media: z.object({
    files: count,
    bytes: count,
    /** Deleted while the backup was made, or not there before. */
    missing: count,
  }),
  /** The SHA-256 of each list of sums. */
  sums: z.array(z.string()),
})
export type Manifest = z.infer<typeof manifestShape>

/** What the command line shows while it lasts. */
export type ShowProgress = (label: string, total?: number) => { advance(count?: number): void; done(): void }
