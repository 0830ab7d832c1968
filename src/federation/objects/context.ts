// What the terms of our objects mean (JSON-LD 1.1). Others read the compacted names, so they are those of Mastodon.

/** The `@context` of everything this server writes. */
export const jsonLdContext: readonly unknown[] = [
  'https://www.w3.org/ns/activitystreams',
  'https://w3id.org/security/v1',
  {
    manuallyApprovesFollowers: 'as:manuallyApprovesFollowers',
    sensitive: 'as:sensitive',
    Hashtag: 'as:Hashtag',
    movedTo: { '@id': 'as:movedTo', '@type': '@id' },
    alsoKnownAs: { '@id': 'as:alsoKnownAs', '@type': '@id' },
    toot: 'http://joinmastodon.org/ns#',
    Emoji: 'toot:Emoji',
    featured: { '@id': 'toot:featured', '@type': '@id' },
    featuredTags: { '@id': 'toot:featuredTags', '@type': '@id' },
    focalPoint: { '@container': '@list', '@id': 'toot:focalPoint' },
    blurhash: 'toot:blurhash',
    discoverable: 'toot:discoverable',
    indexable: 'toot:indexable',
    memorial: 'toot:memorial',
    suspended: 'toot:suspended',
    votersCount: 'toot:votersCount',
    attributionDomains: { '@id': 'toot:attributionDomains', '@type': '@id' },
    webfinger: 'https://purl.archive.org/socialweb/webfinger#webfinger',
    Multikey: 'https://w3id.org/security#Multikey',
    assertionMethod: {
      '@id': 'https://w3id.org/security#assertionMethod',
      '@type': '@id',
      '@container': '@set',
    },
    controller: { '@id': 'https://w3id.org/security#controller', '@type': '@id' },
    publicKeyMultibase: {
      '@id': 'https://w3id.org/security#publicKeyMultibase',
      '@type': 'https://w3id.org/security#multibase',
    },
    ostatus: 'http://ostatus.org#',
    atomUri: 'ostatus:atomUri',
    inReplyToAtomUri: 'ostatus:inReplyToAtomUri',
    conversation: 'ostatus:conversation',
    // Without `www` and with http: what others expect, though not what the vocabulary calls itself.
    schema: 'http://schema.org#',
    PropertyValue: 'schema:PropertyValue',
    value: 'schema:value',
    quote: { '@id': 'https://w3id.org/fep/044f#quote', '@type': '@id' },
    quoteAuthorization: { '@id': 'https://w3id.org/fep/044f#quoteAuthorization', '@type': '@id' },
    quoteUri: 'http://fedibird.com/ns#quoteUri',
    _misskey_quote: 'https://misskey-hub.net/ns#_misskey_quote',
    QuoteRequest: 'https://w3id.org/fep/044f#QuoteRequest',
    QuoteAuthorization: 'https://w3id.org/fep/044f#QuoteAuthorization',
    gts: 'https://gotosocial.org/ns#',
    interactionPolicy: { '@id': 'gts:interactionPolicy', '@type': '@id' },
    canQuote: { '@id': 'gts:canQuote', '@type': '@id' },
    automaticApproval: { '@id': 'gts:automaticApproval', '@type': '@id' },
    manualApproval: { '@id': 'gts:manualApproval', '@type': '@id' },
    canFeature: { '@id': 'gts:canFeature', '@type': '@id' },
    litepub: 'http://litepub.social/ns#',
    EmojiReact: 'litepub:EmojiReact',
    interactingObject: { '@id': 'gts:interactingObject', '@type': '@id' },
    interactionTarget: { '@id': 'gts:interactionTarget', '@type': '@id' },
  },
]

/** The `@context` of what has an integrity proof (FEP-8b32). */
export const provenContext: readonly unknown[] = jsonLdContext.toSpliced(
  2,
  0,
  'https://w3id.org/security/data-integrity/v1',
)
