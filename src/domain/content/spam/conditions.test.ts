import { describe, expect, test } from 'vitest'
import { parseConditions } from './conditions.ts'

describe('conditions', () => {
  test('are read from JSON and from forms alike', () => {
    const given = {
      origin: 'remote',
      account_age_hours_below: '24',
      links_at_least: 2,
      link_domains: ['.Spam.Example', '*.bücher.example', 'spam.example'],
      keywords: [' Casino ', 'Casino'],
      media_hashes: ['AB'.repeat(32), 'LEHV6nWB2yk8pyo0adR*.7kCMdnj'],
      reply: 'true',
      visibilities: ['direct'],
      no_avatar: false,
      followers_below: null,
    }
    expect(parseConditions(given)).toEqual({
      origin: 'remote',
      account_age_hours_below: 24,
      links_at_least: 2,
      link_domains: ['spam.example', 'xn--bcher-kva.example'],
      keywords: ['Casino'],
      media_hashes: ['ab'.repeat(32), 'LEHV6nWB2yk8pyo0adR*.7kCMdnj'],
      reply: true,
      visibilities: ['direct'],
      no_avatar: false,
    })
  })

  test.each([
    [undefined, 'must be an object'],
    [[], 'must be an object'],
    [{}, 'needs a condition besides the origin'],
    [{ origin: 'local' }, 'needs a condition besides the origin'],
    [{ origin: 'here', reply: true }, 'origin must be of local, remote'],
    [{ colour: 'red' }, 'unknown condition colour'],
    [{ constructor: 1 }, 'unknown condition constructor'],
    [{ links_at_least: 0 }, 'links_at_least must be a whole number from 1'],
    [{ links_at_least: 1.5 }, 'links_at_least must be a whole number from 1'],
    [{ links_at_least: [1] }, 'links_at_least must be a whole number from 1'],
    [{ keywords: 'casino' }, 'keywords must be a list'],
    [{ keywords: [] }, 'keywords must be a list'],
    [{ keywords: [' '] }, 'keywords has an empty entry'],
    [{ keywords: ['\u200B'] }, 'keywords has an empty entry'],
    [{ keywords: ['x'.repeat(201)] }, 'more than 200 characters'],
    [{ keywords: Array.from({ length: 201 }, (_, index) => `word ${index}`) }, 'more than 200 entries'],
    [
      { keywords: Array.from({ length: 30 }, (_, n) => `${n} `.padEnd(190, 'x')) },
      'more than 5000 characters',
    ],
    [{ keywords: ['\u200D\u{E0061}'] }, 'keywords has an empty entry'],
    [{ link_domains: ['not a domain'] }, 'no domain'],
    [{ media_hashes: ['abc'] }, 'SHA-256'],
    [{ reply: 'perhaps' }, 'reply must be true or false'],
    [{ visibilities: ['secret'] }, 'visibilities must be of'],
    [{ origin: 'local', host_age_hours_below: 5 }, 'only posts of other servers have'],
  ])('%j are refused', (given, problem) => {
    expect(() => parseConditions(given)).toThrow(problem)
  })
})
