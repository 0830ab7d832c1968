import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createHttpClient } from '#adapters/http-client/http-client.ts'
import { loadConfig } from '#config/config.ts'
import { recordingLog } from '#test/app/log.ts'
import { createTestClock } from '#test/app/clock.ts'
import { shout, startTranslationServer } from '#test/servers/translation-server.ts'
import { createDeepl } from './deepl.ts'
import { createLibreTranslate } from './libretranslate.ts'

const server = await startTranslationServer()
const http = createHttpClient({ config: loadConfig({}), log: recordingLog(), destinations: 'configured' })
const clock = createTestClock()
const options = { http, clock, endpoint: server.endpoint, apiKey: 'a-key' }
const services = { LibreTranslate: createLibreTranslate, 'DeepL.com': createDeepl }

afterAll(async () => {
  await http.close()
  await server.close()
})
beforeEach(() => {
  Object.assign(server, { status: null, answer: null, translate: shout, languageRequests: 0 })
  server.asked.length = 0
})

const deTexts = { texts: ['<p>eins</p>', 'zwei'], from: 'de', to: 'en' }

describe('LibreTranslate', () => {
  test('is asked for all texts at once, as HTML', async () => {
    const translated = await createLibreTranslate(options).translate(deTexts)
    expect(translated).toEqual({ texts: ['<p>EINS</p>', 'ZWEI'], detectedLanguage: 'de' })
    expect(server.asked).toEqual([
      {
        path: '/translate',
        authorization: undefined,
        body: { q: deTexts.texts, source: 'de', target: 'en', format: 'html', api_key: 'a-key' },
      },
    ])
  })

  test('is told no key when there is none, and detects what is unknown', async () => {
    const service = createLibreTranslate({ ...options, apiKey: null })
    expect((await service.translate({ ...deTexts, from: null })).detectedLanguage).toBe('de')
    expect(server.asked[0]?.body).toEqual({ q: deTexts.texts, source: 'auto', target: 'en', format: 'html' })
  })

  test('its languages are ours, and our codes are turned into its own', async () => {
    const service = createLibreTranslate(options)
    expect(Object.fromEntries(await service.languages())).toEqual({
      en: ['de', 'fr', 'zh-CN'],
      de: ['en'],
      'pt-BR': ['en'],
      'zh-CN': ['en'],
      null: ['de', 'en', 'fr', 'zh-CN'],
    })
    await service.translate({ texts: ['x'], from: 'en', to: 'zh-CN' })
    expect(server.asked[0]?.body.target).toBe('zh-Hans')
  })
})

describe('DeepL', () => {
  test('is asked for all texts at once, as HTML', async () => {
    const translated = await createDeepl(options).translate(deTexts)
    expect(translated).toEqual({ texts: ['<p>EINS</p>', 'ZWEI'], detectedLanguage: 'de' })
    expect(server.asked).toEqual([
      {
        path: '/v2/translate',
        authorization: 'DeepL-Auth-Key a-key',
        body: { text: deTexts.texts, source_lang: 'DE', target_lang: 'EN', tag_handling: 'html' },
      },
    ])
  })

  test('detects what is unknown', async () => {
    expect((await createDeepl(options).translate({ ...deTexts, from: null })).detectedLanguage).toBe('de')
    expect(server.asked[0]?.body).not.toHaveProperty('source_lang')
  })

  test('gets at most 50 texts in one request', async () => {
    const texts = Array.from({ length: 120 }, (_, index) => `text ${index}`)
    const translated = await createDeepl(options).translate({ texts, from: 'en', to: 'de' })
    expect(server.asked.map(({ body }) => body.text.length)).toEqual([50, 50, 20])
    expect(translated.texts).toEqual(texts.map(shout))
  })

  test('its languages are ours, with those it takes but does not list', async () => {
    const service = createDeepl(options)
    const languages = await service.languages()
    expect(Object.fromEntries(languages)).toEqual({
      null: ['en', 'pt', 'de', 'pt-BR', 'pt-PT', 'zh', 'zh-CN', 'zh-TW'],
      de: ['en', 'pt', 'pt-BR', 'pt-PT', 'zh', 'zh-CN', 'zh-TW'],
      en: ['pt', 'de', 'pt-BR', 'pt-PT', 'zh', 'zh-CN', 'zh-TW'],
      pt: ['en', 'de', 'pt-BR', 'pt-PT', 'zh', 'zh-CN', 'zh-TW'],
      zh: ['en', 'pt', 'de', 'pt-BR', 'pt-PT', 'zh-CN', 'zh-TW'],
    })
    await service.translate({ texts: ['x'], from: 'zh', to: 'zh-TW' })
    expect(server.asked[0]?.body).toMatchObject({ source_lang: 'ZH', target_lang: 'ZH-HANT' })
  })
})

describe.each(Object.entries(services))('%s', (provider, create) => {
  test('languages are asked for once a day, however many ask', async () => {
    const service = create(options)
    await Promise.all([service.languages(), service.languages(), service.translate(deTexts)])
    const once = server.languageRequests
    clock.advance(23 * 3600 * 1000)
    await service.languages()
    expect(server.languageRequests).toBe(once)
    clock.advance(3600 * 1000)
    await service.languages()
    expect(server.languageRequests).toBe(2 * once)
    // What is known serves on when the service fails.
    clock.advance(25 * 3600 * 1000)
    server.status = 500
    expect((await service.languages()).size).toBeGreaterThan(2)
    expect(service.provider).toBe(provider)
  })

  test.each([
    [429, /too many requests/],
    [456, /as much as/],
    [403, /as much as/],
    [500, /temporary problem/],
    [400, /temporary problem/],
    [302, /temporary problem/],
  ])('status %i makes it unavailable', async (status, message) => {
    const service = create(options)
    await service.languages()
    server.status = status
    const failure = await service.translate(deTexts).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'unavailable', message: expect.stringMatching(message) })
    expect(String((failure as Error).cause)).toContain(String(status))
    expect(String((failure as Error).cause)).not.toContain('a-key')
  })

  test.each([
    'no JSON',
    'null',
    '[]',
    '{}',
    '{"translatedText": "x", "translations": "x"}',
    '{"translatedText": ["x"], "translations": [{"text": "x"}]}',
    '{"translatedText": ["x", 1], "translations": [{"text": "x"}, {"text": 1}]}',
    '{"translatedText": ["x", "y", "z"], "translations": [{"text": "x"}, {"text": "y"}, {"text": "z"}]}',
  ])('the answer %j makes it unavailable', async (answer) => {
    const service = create(options)
    await service.languages()
    server.answer = answer
    await expect(service.translate(deTexts)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('a list of languages that is none makes it unavailable', async () => {
    server.answer = '{"error": "x"}'
    await expect(create(options).languages()).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('a service that is not there is unavailable', async () => {
    const service = create({ ...options, endpoint: 'http://127.0.0.1:9' })
    await expect(service.languages()).rejects.toMatchObject({ code: 'unavailable' })
  })
})
