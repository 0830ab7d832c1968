import { describe, expect, test } from 'vitest'
import { listErrorMessages } from '#test/app/error-messages.ts'
import { translateDetails, translateError, translateProblem } from './translate-error.ts'

/** Nothing but what is put in. */
const madeElsewhere = new Set([
  '{}',
  'Validation failed: {}',
  'Validation failed: {} {}',
  'Validation failed: Fields {}',
])
/** Other servers and the command line alone hear of what is thrown there. */
const people = [
  'lib/',
  'domain/',
  'http/',
  'views/',
  'adapters/media/',
  'adapters/s3/',
  'adapters/translate/',
]

test('whatever the source refuses has German words', async () => {
  const messages = await listErrorMessages(people)
  expect(messages.size).toBeGreaterThan(150)
  const untold = [...messages].filter(([message, files]) => {
    if (madeElsewhere.has(message) || files.every((file) => isForPrograms(file))) return false
    const example = message.replaceAll('{}', '7')
    const text = translateError(example, 'de')
    const rest = text.replace('Das ist so nicht gültig: ', '')
    return text === example || (message.startsWith('Validation failed: ') && example.endsWith(rest))
  })
  expect(untold).toEqual([])
})

const isForPrograms = (file: string) =>
  /^(http\/activitypub|federation|domain\/(federation\/queue|content\/spam\/conditions|transfer\/portability\/archive-))/.test(
    file,
  )

describe('an error in German', () => {
  test.each([
    ['Record not found', 'Der Eintrag wurde nicht gefunden'],
    ["Validation failed: Text can't be blank", 'Das ist so nicht gültig: Text darf nicht leer sein'],
    [
      "Validation failed: Username has already been taken, Password can't be blank",
      'Das ist so nicht gültig: Benutzername ist schon vergeben, Passwort darf nicht leer sein',
    ],
    ['Validation failed: Poll options is invalid', 'Das ist so nicht gültig: Poll options ist ungültig'],
    [
      'Validation failed: Text character limit of 500 exceeded',
      'Das ist so nicht gültig: Text darf höchstens 500 Zeichen haben',
    ],
    ['9000x9000 images are not supported', 'Bilder mit 9000x9000 Bildpunkten werden nicht unterstützt'],
    ['Missing required parameter: code.', 'Eine nötige Angabe fehlt: code.'],
    ['nobody has written this', 'nobody has written this'],
  ])('%s', (english, german) => {
    expect(translateError(english, 'de')).toBe(german)
    expect(translateError(english, 'en')).toBe(english)
  })

  test('stands in a form without the words before it', () => {
    expect(translateProblem('Validation failed: Name is invalid', 'de')).toBe('Name ist ungültig')
    expect(translateProblem('Validation failed: Name is invalid', 'en')).toBe('Name is invalid')
  })

  test('keeps the codes of fields', () => {
    const details = { username: [{ error: 'ERR_TAKEN', description: 'has already been taken' }] }
    expect(translateDetails(details, 'de')).toEqual({
      username: [{ error: 'ERR_TAKEN', description: 'ist schon vergeben' }],
    })
    expect(translateDetails(details, 'en')).toEqual(details)
  })

  test('is soon there, however long the text is that was put in', () => {
    const long = `Validation failed: ${'a, '.repeat(20_000)}is invalid`
    expect(translateError(long, 'de')).toContain('a, a')
  })
})
