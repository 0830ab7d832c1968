import { readHtml } from '#lib/html/read-html.ts'

/** XRD stands for JSON too: servers answer it to who wants it. */
const descriptorType = /^application\/(?:jrd\+json|json|xrd\+xml)\b/

/**
 * Where a host-meta document (RFC 6415) says that descriptors of accounts are; null when it does not say it. `{uri}`
 * stands for the account.
 */
export function findDescriptorTemplate(xml: string): string | null {
  let found: string | null = null
  readHtml(xml, {
    open(name, attributes) {
      if (found !== null || name !== 'link' || attributes.get('rel') !== 'lrdd') return
      const template = attributes.get('template') ?? ''
      const isKnown = descriptorType.test(attributes.get('type') ?? 'application/json')
      if (isKnown && template.includes('{uri}')) found = template
    },
    close() {},
    text() {},
    isForeign: () => false,
  })
  return found
}
