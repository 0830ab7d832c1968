import type { Reader } from '#ports/ctx.ts'
import { getSettings } from '#domain/server/instance/settings.ts'

const december = 11
const firstDay = 10

/** The year of which people may have a report made now: from 10 to 31 December (UTC), where reports are on. */
export async function findCampaign(reader: Reader): Promise<number | null> {
  const now = new Date(reader.clock.now())
  if (now.getUTCMonth() !== december || now.getUTCDate() < firstDay) return null
  return (await getSettings(reader)).wrapstodon ? now.getUTCFullYear() : null
}
