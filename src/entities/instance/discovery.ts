// Documents by which others find the server and its people.
import { z } from 'zod'
import { count, entity, flag, text, texts, url, type Json, type Schema } from '../entity.ts'

/** RFC 6415. */
const hostMeta = entity('HostMeta', { links: z.array(z.strictObject({ rel: text, template: url })) })
export interface HostMeta extends Json<typeof hostMeta> {}
export const HostMeta: Schema<HostMeta> = hostMeta

/** The JSON Resource Descriptor (RFC 7033). */
const webfinger = entity('Webfinger', {
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
export interface Webfinger extends Json<typeof webfinger> {}
export const Webfinger: Schema<Webfinger> = webfinger

/** https://nodeinfo.diaspora.software/protocol.html */
const nodeInfoLinks = entity('NodeInfoLinks', {
  links: z.array(z.strictObject({ rel: text, href: url })),
})
export interface NodeInfoLinks extends Json<typeof nodeInfoLinks> {}
export const NodeInfoLinks: Schema<NodeInfoLinks> = nodeInfoLinks

/** https://nodeinfo.diaspora.software/schema.html */
const nodeInfo = entity('NodeInfo', {
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
export interface NodeInfo extends Json<typeof nodeInfo> {}
export const NodeInfo: Schema<NodeInfo> = nodeInfo

/** https://oembed.com, section 2.3.4.4. */
const oEmbed = entity('OEmbed', {
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
export interface OEmbed extends Json<typeof oEmbed> {}
export const OEmbed: Schema<OEmbed> = oEmbed
