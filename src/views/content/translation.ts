import type { TranslationLanguages } from '#entities/instance/facts.ts'
import type { Translation } from '#entities/status.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { TranslatedStatus } from '#domain/content/statuses/translate.ts'

/** Translation (https://docs.joinmastodon.org/entities/Translation/). */
export function renderTranslation(translated: TranslatedStatus): Translation {
  const { poll } = translated
  return {
    content: translated.content,
    spoiler_text: translated.spoilerText,
    poll: poll && { id: poll.id, options: poll.options.map((title) => ({ title })) },
    media_attachments: translated.media,
    language: translated.language,
    detected_source_language: translated.detectedLanguage,
    provider: translated.provider,
  }
}

/** From which languages this server translates to which; `und` are posts without one. */
export async function viewTranslationLanguages(ctx: Ctx): Promise<TranslationLanguages> {
  const pairs = [...((await ctx.translator?.languages()) ?? [])]
  return Object.fromEntries(pairs.map(([source, targets]) => [source ?? 'und', targets]))
}
