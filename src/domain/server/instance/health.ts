import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'

/** Whether the database answers within `patience` milliseconds. Never throws. */
export async function isDatabaseReady(reader: Reader, patience: number): Promise<boolean> {
  const asked = sql`select 1`.execute(reader.db).then(
    () => true,
    () => false,
  )
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), patience)
  })
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}
