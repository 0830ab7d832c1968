import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLanguage, languages, parseLanguage } from './language.ts'

describe('languages', () => {
  test('codes are unique and all have a name', () => {
    const codes = languages.map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
    expect(languages.filter(({ code, name }) => name === '' || name === code)).toEqual([])
    const names = languages.map(({ name }) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  test('hold ISO 639-1 and the extra ones', () => {
    for (const code of ['en', 'de', 'zh-CN', 'zh-TW', 'zh-HK', 'pt-BR', 'pt-PT', 'ast', 'kab', 'tok', 'zba'])
      expect(isLanguage(code)).toBe(true)
    expect(languages.find(({ code }) => code === 'de')?.name).toBe('German')
  })
})

describe('parseLanguage', () => {
  test.each<[unknown, string | null]>([
    ['en', 'en'],
    ['EN', 'en'],
    ['en-US', 'en'],
    ['en_GB', 'en'],
    ['pt-br', 'pt-BR'],
    ['zh-Hans', 'zh-CN'],
    ['zh-Hant-TW', 'zh-TW'],
    ['zh-Hant-HK', 'zh-HK'],
    ['zh', 'zh'],
    ['yue', 'zh-YUE'],
    ['zh-yue', 'zh-YUE'],
    ['deu', 'de'],
    ['iw', 'he'],
    ['fil', 'tl'],
    ['sr-Latn', 'sr'],
    ['xx', null],
    ['', null],
    ['english', null],
    ['-', null],
    [null, null],
    [5, null],
    ['constructor', null],
  ])('%j is %j', (value, expected) => expect(parseLanguage(value)).toBe(expected))

  test('gives a known code or null for anything', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const code = parseLanguage(text)
        expect(code === null || isLanguage(code)).toBe(true)
      }),
    )
    for (const { code } of languages) expect(parseLanguage(code.toUpperCase())).toBe(code)
  })

  test('isLanguage wants the exact form', () => {
    expect(isLanguage('EN')).toBe(false)
    expect(isLanguage('en-US')).toBe(false)
    expect(isLanguage(undefined)).toBe(false)
  })
})
