import type { Ctx, Reader } from '#ports/ctx.ts'
import type { Translator } from '#ports/translator.ts'
import { loadMedia } from '#domain/content/media/load.ts'
import { loadPolls } from '#domain/content/polls/load.ts'
import { pick } from '#lib/collections.ts'
import { forbidden, notFound } from '#lib/errors.ts'
import { parseLanguage } from '#lib/text/language.ts'
import { acceptHtml, acceptPlain, protectHtml, protectPlain } from '#lib/html/translatable.ts'
import { loadStatusRows, type StatusRow } from './load-rows.ts'
import { getVisibleOriginal } from './queries.ts'
import type { AccountId, MediaId, PollId, StatusId } from '#lib/id.ts'

/** All that can be read of a status, in another language. */
export interface TranslatedStatus {
  /** Clean HTML; the other texts are plain. */
  content: string
  spoilerText: string
  poll: { id: PollId; options: string[] } | null
  /** In the order shown; a description may be empty. */
  media: { id: MediaId; description: string }[]
  language: string
  detectedLanguage: string
  provider: string
}

const keptSeconds = 24 * 3600

/**
 * A public or unlisted status, or what it boosts, translated by the outside service; kept for a day. `wanted` is any
 * language tag. Throws `not_found` when the viewer may not see it, `forbidden` when it is for fewer people, or is not
 * translated into that language, and `unavailable` when the service fails.
 */
export async function translateStatus(
  ctx: Ctx,
  viewerId: AccountId | null,
  id: StatusId,
  wanted: string,
): Promise<TranslatedStatus> {
  const status = await getVisibleOriginal(ctx, viewerId, id)
  if (status.visibility !== 'public' && status.visibility !== 'unlisted') throw forbidden()
  if (!ctx.translator) throw forbidden()
  const [row] = await loadStatusRows(ctx, [status.id])
  if (!row) throw notFound()
  const pair = await choosePair(ctx.translator, row.language, wanted)
  const key = `translation:${row.id}:${row.version}:${pair.to}`
  const kept = await readKept(ctx, key)
  if (kept) return kept
  const translated = await translate(ctx, ctx.translator, row, pair)
  await keep(ctx, key, translated)
  return translated
}

interface Pair {
  from: string | null
  to: string
}

/** Regional languages that the service does not know count as their main one. */
async function choosePair(translator: Translator, language: string | null, wanted: string): Promise<Pair> {
  const pairs = await translator.languages()
  const from = [language, mainOf(language)].find((code) => pairs.has(code))
  const to = parseLanguage(wanted)
  const targets = from === undefined ? [] : (pairs.get(from) ?? [])
  const target = [to, mainOf(to)].find((code) => code !== null && targets.includes(code))
  if (from === undefined || !target) throw forbidden()
  return { from, to: target }
}

const mainOf = (code: string | null) => code?.split('-', 1)[0] ?? null

async function translate(
  ctx: Ctx,
  translator: Translator,
  row: StatusRow,
  { from, to }: Pair,
): Promise<TranslatedStatus> {
  const { poll, media } = await loadParts(ctx, row)
  const sources = [
    protectHtml(row.content),
    ...[row.spoiler_text, ...(poll?.options ?? []), ...media.map((one) => one.description)].map(protectPlain),
  ]
  // Services refuse, or charge for, what is empty.
  const texts = sources.filter((text) => text !== '')
  const answer = texts.length > 0 ? await translator.translate({ texts, from, to }) : null
  const rest = [...(answer?.texts ?? [])]
  const [content = '', ...others] = sources.map((text) => (text === '' ? '' : (rest.shift() ?? '')))
  const [spoilerText = '', ...plain] = others.map(acceptPlain)
  const options = plain.splice(0, poll?.options.length ?? 0)
  return {
    content: acceptHtml(content),
    spoilerText,
    poll: poll && { id: poll.id, options },
    media: media.map((one, index) => ({ id: one.id, description: plain[index] ?? '' })),
    language: to,
    detectedLanguage: answer?.detectedLanguage ?? row.language ?? 'und',
    provider: translator.provider,
  }
}

async function loadParts(reader: Reader, row: StatusRow) {
  const [polls, media] = await Promise.all([
    loadPolls(reader, row.poll_id === null ? [] : [row.poll_id]),
    loadMedia(reader, row.media_ids),
  ])
  return { poll: [...polls.values()][0] ?? null, media: pick(row.media_ids, media) }
}

/** Without the store of short-lived keys it is translated anew. */
async function readKept(ctx: Ctx, key: string): Promise<TranslatedStatus | null> {
  const kept = await ctx.kv.get(key).catch(() => null)
  return kept === null ? null : (JSON.parse(kept) as TranslatedStatus)
}

async function keep(ctx: Ctx, key: string, translated: TranslatedStatus): Promise<void> {
  await ctx.kv.set(key, JSON.stringify(translated), keptSeconds).catch((error: unknown) => {
    ctx.log.warn({ error: String(error) }, 'a translation could not be kept')
  })
}
