import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Conditions, SpamAction } from './conditions.ts'
import { compileRules, decide, holdsFor, needsAuthor, type AuthorFacts, type SpamRule } from './evaluate.ts'
import { readPost, type PostFacts } from './read-post.ts'
import { asId, asIds, type AccountId, type MediaId, type SpamRuleId } from '#lib/id.ts'

const now = Date.UTC(2026, 0, 1)
const hour = 3_600_000

const post = (more: Partial<PostFacts> = {}): PostFacts => ({
  local: false,
  accountId: asId<AccountId>('1'),
  content: '<p>hello</p>',
  texts: [],
  mentionedIds: [],
  mentions: 0,
  reply: false,
  parentId: null,
  visibility: 'public',
  quotedHost: null,
  mediaIds: [],
  blurhashes: [],
  statusId: null,
  at: now,
  ...more,
})

const author = (more: Partial<AuthorFacts> = {}): AuthorFacts => ({
  createdAt: new Date(now - 1000 * hour),
  hostSeenAt: new Date(now - 1000 * hour),
  followers: 1000,
  statuses: 1000,
  hasAvatar: true,
  recent: 0,
  strangers: 0,
  hashes: [],
  ...more,
})

const rule = (conditions: Conditions, action: SpamAction = 'report', id = '1'): SpamRule => ({
  id: asId<SpamRuleId>(id),
  action,
  conditions,
})

function matches(rules: readonly SpamRule[], facts: PostFacts, of: AuthorFacts): SpamRule[] {
  return compileRules(rules)
    .sift(readPost(facts))
    .filter((one) => !needsAuthor(one, facts) || holdsFor(one, facts, of))
}

const meets = (conditions: Conditions, facts: Partial<PostFacts> = {}, of: Partial<AuthorFacts> = {}) =>
  matches([rule(conditions)], post(facts), author(of)).length === 1

describe('a condition', () => {
  const link = (href: string, more = '') => `<p><a href="${href}"${more}>x</a></p>`
  test.each<[Conditions, Partial<PostFacts>, Partial<AuthorFacts>]>([
    [{ origin: 'local', reply: true }, { local: true, reply: true }, {}],
    [{ reply: true }, { reply: true }, {}],
    [{ visibilities: ['direct', 'private'] }, { visibility: 'private' }, {}],
    [{ mentions_at_least: 3 }, { mentions: 3 }, {}],
    [{ strangers_mentioned_at_least: 2 }, { mentionedIds: asIds<AccountId>(['2', '3']) }, { strangers: 2 }],
    [{ links_at_least: 2 }, { content: link('https://a.example/1') + link('https://a.example/2') }, {}],
    [{ links_at_least: 1 }, { texts: ['see https://a.example.org/'] }, {}],
    [{ link_domains: ['spam.example'] }, { content: link('https://www.SPAM.example/x') }, {}],
    [{ link_domains: ['example.org'] }, { content: '<p>https://spam.example.org/x</p>' }, {}],
    [{ link_domains: ['spam.example'] }, { content: link('https://spam.example', ' class="mention"') }, {}],
    [{ keywords: ['best casino'] }, { content: '<p>The BEST<br>casino</p>' }, {}],
    [{ keywords: ['casino'] }, { texts: ['', 'Casino!'] }, {}],
    [
      { keywords: ['casino'] },
      { content: '<p>c\u200da\u0336ѕi<span class="invisible">x<br></span>no</p>' },
      {},
    ],
    [{ keywords: ['casino'] }, { content: '<p>c<b>a</b>s&#105;n&#x6f;</p>' }, {}],
    [{ keywords: ['赌场'] }, { content: '<p>最好的赌场在这里</p>' }, {}],
    [{ media_hashes: ['blur'] }, { blurhashes: ['other', 'blur'] }, {}],
    [{ media_hashes: ['ff'] }, { local: true, mediaIds: asIds<MediaId>(['9']) }, { hashes: ['ff'] }],
    [{ account_age_hours_below: 5 }, {}, { createdAt: new Date(now - 4 * hour) }],
    [{ host_age_hours_below: 5 }, {}, { hostSeenAt: new Date(now - 4 * hour) }],
    [{ host_age_hours_below: 5 }, {}, { hostSeenAt: null }],
    [{ followers_below: 3 }, {}, { followers: 2 }],
    [{ statuses_below: 3 }, {}, { statuses: 2 }],
    [{ posts_per_hour_at_least: 5 }, {}, { recent: 4 }],
    [{ no_avatar: true }, {}, { hasAvatar: false }],
  ])('%j holds for a post that has it, and for no other', (conditions, facts, of) => {
    expect(meets(conditions, facts, of)).toBe(true)
    expect(meets(conditions)).toBe(false)
  })

  test.each<[Conditions, Partial<PostFacts>, Partial<AuthorFacts>]>([
    [{ links_at_least: 2 }, { content: link('https://a.example/1') + link('https://a.example/1') }, {}],
    [
      { links_at_least: 1 },
      { content: '<p><a class="u-url mention" href="https://a.example/@b">@<span>b</span></a></p>' },
      {},
    ],
    [
      { links_at_least: 1 },
      {
        content: '<p class="quote-inline">RE: <a href="https://q.example/1">https://q.example/1</a></p>',
        quotedHost: 'q.example',
      },
      {},
    ],
    [{ link_domains: ['spam.example'] }, { content: link('https://notspam.example/') }, {}],
    [{ link_domains: ['spam.example'] }, { content: link('https://example/') }, {}],
    [{ keywords: ['casino'] }, { content: '<p>casinos</p>' }, {}],
    [{ host_age_hours_below: 5 }, { local: true }, { hostSeenAt: null }],
    [{ account_age_hours_below: 5 }, {}, { createdAt: new Date(now - 5 * hour) }],
    [{ followers_below: 3 }, {}, { followers: 3 }],
    [{ posts_per_hour_at_least: 5 }, {}, { recent: 3 }],
    [{ media_hashes: ['ff'] }, { local: true, mediaIds: asIds<MediaId>(['9']) }, { hashes: ['fe'] }],
  ])('%j does not hold for %j', (conditions, facts, of) => {
    expect(meets(conditions, facts, of)).toBe(false)
  })

  test('finds links that hide as a quote of something else', () => {
    const content = '<p class="quote-inline">RE: <a href="https://spam.example/1">look</a></p>'
    expect(meets({ link_domains: ['spam.example'] }, { content, quotedHost: 'q.example' })).toBe(true)
    expect(meets({ link_domains: ['spam.example'] }, { content })).toBe(true)
    expect(meets({ link_domains: ['spam.example'] }, { content, quotedHost: 'spam.example' })).toBe(true)
  })

  test('finds links to a site that another server calls mentions, but not mentions of people there', () => {
    const content = '<p><a class="mention" href="https://spam.example/1">@buy</a></p>'
    const conditions = { link_domains: ['spam.example'] }
    expect(meets(conditions, { content })).toBe(true)
    expect(meets(conditions, { content, local: true })).toBe(false)
  })
})

const someConditions: fc.Arbitrary<Conditions> = fc.record(
  {
    origin: fc.constantFrom('local', 'remote'),
    reply: fc.boolean(),
    mentions_at_least: fc.integer({ min: 1, max: 4 }),
    links_at_least: fc.integer({ min: 1, max: 3 }),
    link_domains: fc.array(fc.constantFrom('a.example', 'b.example'), { minLength: 1 }),
    keywords: fc.array(fc.constantFrom('casino', 'pills', 'ai'), { minLength: 1 }),
    account_age_hours_below: fc.integer({ min: 1, max: 10 }),
    followers_below: fc.integer({ min: 1, max: 10 }),
    posts_per_hour_at_least: fc.integer({ min: 1, max: 10 }),
    no_avatar: fc.boolean(),
  },
  { requiredKeys: [] },
)
const someRules = fc
  .array(fc.tuple(someConditions, fc.constantFrom<SpamAction>('report', 'limit', 'hold', 'reject')), {
    maxLength: 12,
  })
  .map((all) => all.map(([conditions, action], index) => rule(conditions, action, String(index + 1))))
const somePost = fc
  .record({
    local: fc.boolean(),
    reply: fc.boolean(),
    mentions: fc.integer({ min: 0, max: 5 }),
    content: fc
      .array(
        fc.constantFrom(
          'casino',
          'pills',
          'casinos',
          '<a href="https://x.a.example/">x</a>',
          '<a href="https://b.example/">y</a>',
        ),
      )
      .map((words) => `<p>${words.join(' ')}</p>`),
  })
  .map(post)
const someAuthor = fc
  .record({
    createdAt: fc.integer({ min: 0, max: 12 }).map((hours) => new Date(now - hours * hour)),
    followers: fc.integer({ min: 0, max: 12 }),
    recent: fc.integer({ min: 0, max: 12 }),
    hasAvatar: fc.boolean(),
  })
  .map(author)

describe('rules', () => {
  test('match the same, and decide the same, in any order', () => {
    const shuffled = someRules.chain((rules) =>
      fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length })),
    )
    fc.assert(
      fc.property(shuffled, somePost, someAuthor, ([rules, other], facts, of) => {
        expect(decide(matches(other, facts, of))).toEqual(decide(matches(rules, facts, of)))
      }),
    )
  })

  test('match as each does alone', () => {
    fc.assert(
      fc.property(someRules, somePost, someAuthor, (rules, facts, of) => {
        expect(matches(rules, facts, of)).toEqual(
          rules.filter((one) => matches([one], facts, of).length === 1),
        )
      }),
    )
  })

  test('with one condition more match no further post', () => {
    fc.assert(
      fc.property(someConditions, someConditions, somePost, someAuthor, (some, more, facts, of) => {
        const both = { ...more, ...some }
        const [alone, together] = [some, both].map((one) => matches([rule(one)], facts, of).length)
        expect(together).toBeLessThanOrEqual(alone as number)
      }),
    )
  })

  test('decide by the strictest action, and count all that match', () => {
    const rules = [
      rule({ reply: false }, 'report', '3'),
      rule({ reply: false }, 'hold', '20'),
      rule({ reply: false }, 'hold', '9'),
      rule({ reply: true }, 'reject', '1'),
    ]
    expect(decide(matches(rules, post(), author()))).toEqual({
      action: 'hold',
      hits: [
        { ruleId: '9', action: 'hold', decisive: true },
        { ruleId: '20', action: 'hold', decisive: false },
        { ruleId: '3', action: 'report', decisive: false },
      ],
    })
    expect(decide([])).toBeNull()
  })
})
