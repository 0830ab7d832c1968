import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detectLanguage } from './detect-language.ts'
import { isLanguage } from './language.ts'

describe('sentences', () => {
  test.each([
    ['en', 'I really do not know what to say about this.'],
    ['de', 'Ich weiß wirklich nicht, was ich dazu sagen soll.'],
    ['fr', 'Il fait beau aujourd’hui et nous allons à la plage.'],
    ['es', 'Hoy hace muy buen tiempo y no sé qué hacer.'],
    ['it', 'Oggi il tempo è molto bello, andiamo al mare?'],
    ['pt', 'Não sei o que dizer sobre isso.'],
    ['nl', 'Ik weet niet wat ik hierover moet zeggen.'],
    ['sv', 'Jag vet inte vad jag ska säga om det här.'],
    ['fi', 'En tiedä mitä sanoa tästä.'],
    ['pl', 'Nie wiem, co o tym powiedzieć.'],
    ['cs', 'Nevím, co na to říct, je to složité.'],
    ['hu', 'Nem tudom, mit mondjak erről.'],
    ['ro', 'Nu știu ce să spun despre asta.'],
    ['tr', 'Bu konuda ne söyleyeceğimi bilmiyorum.'],
    ['ca', 'No sé què dir sobre això, la veritat.'],
    ['ru', 'Я не знаю, что сказать об этом.'],
    ['uk', 'Я не знаю, що про це сказати.'],
    ['el', 'Δεν ξέρω τι να πω γι’ αυτό.'],
    ['ar', 'لا أعرف ماذا أقول عن هذا الموضوع'],
    ['he', 'אני לא יודע מה להגיד על זה'],
    ['ja', '今日はとても天気がいいですね'],
    ['zh', '我不知道该说什么'],
    ['ko', '무슨 말을 해야 할지 모르겠어요'],
    ['th', 'ฉันไม่รู้จะพูดอะไรเกี่ยวกับเรื่องนี้'],
    ['hi', 'मुझे नहीं पता कि इस बारे में क्या कहूँ'],
    ['vi', 'Tôi không biết phải nói gì về chuyện này.'],
  ])('%s: %s', async (language, text) => {
    expect(await detectLanguage(text)).toBe(language)
  })
})

describe('what is no language', () => {
  test.each([
    '',
    'lol',
    'Hello #cats',
    'Barcelona Madrid',
    '12345678901234567890 98765432109876543210',
    '🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉',
    'sdkfjh sdkjfh sdkjfh skdjfh',
    'https://example.com/this/is/an/english/sentence/about/the/weather',
    '@this @is @not @a @sentence @but @names @of @people',
    '#this #is #not #a #sentence #but #a #list #of #tags',
    ':this_is: :not_a: :sentence: :but_emoji: :of_this_server:',
    'write.to.me.please@example.example',
  ])('%j', async (text) => {
    expect(await detectLanguage(text)).toBeNull()
  })

  test('does not count beside a sentence', async () => {
    const noise =
      '@thequickbrownfox #thequickbrownfox https://example.com/the/quick/brown/fox :the_quick_fox:'
    expect(await detectLanguage(`${noise} Ich weiß nicht, was das soll. ${noise}`)).toBe('de')
  })
})

test('the answer to any text is a known code or null', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 400 }), async (text) => {
      const found = await detectLanguage(text)
      expect(found === null || isLanguage(found)).toBe(true)
    }),
  )
})

test('however long the text is, a guess takes milliseconds [CNT-21]', async () => {
  await detectLanguage('This loads the statistics of languages.')
  for (const piece of ['word ', 'a@', ':a', '字', '#a ', 'http://a.co/ ', 'é']) {
    const text = piece.repeat(500_000 / piece.length)
    const begin = process.cpuUsage()
    await detectLanguage(text)
    const { user, system } = process.cpuUsage(begin)
    expect((user + system) / 1000).toBeLessThan(100)
  }
})
