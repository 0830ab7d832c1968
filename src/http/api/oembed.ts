import { z } from 'zod'
import { languageFor } from '#http/kit/language-for.ts'
import { integer, text } from '#http/kit/params/fields.ts'
import { refusal, route } from '#http/kit/route.ts'
import { viewOEmbed } from '#views/content/oembed.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { OEmbed } from '#entities/instance/discovery.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/oembed',
    returns: OEmbed,
    auth: 'none',
    caching: 'anonymous',
    params: z.object({ url: text(), format: text(), maxwidth: integer(), maxheight: integer() }),
    async handle({ ctx, params, caller, request }) {
      // https://oembed.com, section 2.3.3: the other format it knows. Anything else is as if it were not given.
      if (params.format?.toLowerCase() === 'xml')
        return refusal(501, {
          error: textsIn(languageFor(caller, request)).errors.sentences.oembed_json_only,
        })
      return viewOEmbed(ctx, {
        url: params.url ?? '',
        maxWidth: params.maxwidth,
        maxHeight: params.maxheight,
      })
    },
  }),
]
