import { describe, expect, test } from 'vitest'
import { pickLanguage } from './pick-language.ts'

describe('pickLanguage', () => {
  test.each([
    [null, null, 'en'],
    ['de', 'en', 'de'],
    ['de_DE', null, 'de'],
    ['xx', 'de', 'de'],
    [null, 'nl;q=1, de-CH;q=0.3, en;q=0.2', 'de'],
    [null, 'de;q=0.1, en-GB;q=0.9', 'en'],
    [null, 'de;q=0', 'en'],
    [null, 'de;q=x', 'en'],
    [null, ',,;q=', 'en'],
  ])('?lang=%s and Accept-Language %s give %s', (asked, header, language) => {
    expect(pickLanguage(asked, header)).toBe(language)
  })
})
