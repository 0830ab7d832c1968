import { z } from 'zod'
import { id, objects, text, texts, truthy } from '#http/kit/params/fields.ts'
import type { FilterKeywordId } from '#lib/id.ts'

/** Seconds from now; blank is never, which is not the same as not given. */
export const expiresIn = () => z.preprocess(readSeconds, z.number().nullish())

function readSeconds(value: unknown): unknown {
  if (value === undefined || value === null) return value
  if (typeof value === 'number') return Math.trunc(value)
  if (typeof value !== 'string') return Number.NaN
  return value.trim() === '' ? null : Number.parseInt(value, 10)
}

const keyword = z.object({
  id: id<FilterKeywordId>(),
  keyword: text(),
  whole_word: truthy(),
  _destroy: truthy(),
})

export const filterParams = {
  title: text(),
  context: texts(),
  filter_action: text(),
  expires_in: expiresIn(),
  keywords_attributes: objects(keyword),
}

/** The parameters in the domain's words. */
export function filterChangeOf(params: z.output<z.ZodObject<typeof filterParams>>) {
  return {
    title: params.title,
    context: params.context,
    action: params.filter_action,
    expiresIn: params.expires_in,
    keywords: params.keywords_attributes?.map((one) => ({
      id: one.id,
      keyword: one.keyword,
      wholeWord: one.whole_word,
      destroy: one._destroy,
    })),
  }
}
