// Documents by which others find the server and its people.
import { z } from 'zod'
import { count, entity, flag, text, texts, url, type Json } from '../entity.ts'

/** RFC 6415. */
export const HostMeta = entity('HostMeta', { links: z.array(z.strictObject({ rel: text, template: url })) })
export interface HostMeta extends Json<typeof HostMeta> {}

/** The JSON Resource Descriptor (RFC 7033). */
export const Webfinger = entity('Webfinger', {
  subject: text,
  aliases: texts,
  links: z.array(
    z.strictObject({
      rel: text,
      type: text.optional(),
      href: url.optional(),
      template: url.optional(),
    }),
  ),
})
export interface Webfinger extends Json<typeof Webfinger> {}

/** https://nodeinfo.diaspora.software/protocol.html */
export const NodeInfoLinks = entity('NodeInfoLinks', {
  links: z.array(z.strictObject({ rel: text, href: url })),
})
export interface NodeInfoLinks extends Json<typeof NodeInfoLinks> {}

/** https://nodeinfo.diaspora.software/schema.html */
export const NodeInfo = entity('NodeInfo', {
  version: z.enum(['2.0', '2.1']),
  software: z.strictObject({ name: text, version: text, repository: url.optional() }),
  protocols: texts,
  services: z.strictObject({ inbound: texts, outbound: texts }),
  openRegistrations: flag,
  usage: z.strictObject({
    users: z.strictObject({ total: count, activeMonth: count, activeHalfyear: count }),
    localPosts: count,
    localComments: count,
  }),
  metadata: z.strictObject({ nodeName: text, nodeDescription: text }),
})
export interface NodeInfo extends Json<typeof NodeInfo> {}

/** https://oembed.com, section 2.3.4.4. */
export const OEmbed = entity('OEmbed', {
  type: z.literal('rich'),
  version: z.literal('1.0'),
  title: text,
  author_name: text,
  author_url: url,
  provider_name: text,
  provider_url: url,
  cache_age: count,
  html: text,
  width: count,
  height: count.nullable(),
})
export interface OEmbed extends Json<typeof OEmbed> {}
