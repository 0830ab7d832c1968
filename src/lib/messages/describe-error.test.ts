import { describe, expect, test } from 'vitest'
import { catalogueOf } from './catalogue.ts'
import { describeKept, keepReason } from './keep-reason.ts'
import { describeDetails, describeProblems, describeReason, type Reason } from './describe-error.ts'

const taken: Reason = {
  problems: [
    { field: 'username', code: 'taken', detail: { field: 'username', error: 'ERR_TAKEN' } },
    { field: 'password', code: 'blank' },
  ],
}
const noTable: Reason = { problems: [{ field: 'Poll options', code: 'invalid' }] }

describe('an error', () => {
  test.each<[Reason, string, string]>([
    [{ sentence: 'record_not_found' }, 'Record not found', 'Der Eintrag wurde nicht gefunden'],
    [
      { sentence: 'image_size', params: { width: 9000, height: 9000 } },
      '9000x9000 images are not supported',
      'Bilder mit 9000x9000 Bildpunkten werden nicht unterstützt',
    ],
    [
      { problems: [{ field: null, code: 'no_csv' }] },
      'Validation failed: This is no CSV file',
      'Das ist so nicht gültig: Das ist keine CSV-Datei',
    ],
    [
      { problems: [{ field: 'text', code: 'too_many_characters', params: { max: 500 } }] },
      'Validation failed: Text character limit of 500 exceeded',
      'Das ist so nicht gültig: Text darf höchstens 500 Zeichen haben',
    ],
    [
      taken,
      "Validation failed: Username has already been taken, Password can't be blank",
      'Das ist so nicht gültig: Benutzername ist schon vergeben, Passwort darf nicht leer sein',
    ],
    [
      noTable,
      'Validation failed: Poll options is invalid',
      'Das ist so nicht gültig: Poll options ist ungültig',
    ],
    [{ said: 'as it was said' }, 'as it was said', 'as it was said'],
  ])('%j', (reason, english, german) => {
    expect(describeReason(reason, 'en')).toBe(english)
    expect(describeReason(reason, 'de')).toBe(german)
    expect(describeReason(reason, 'tlh')).toBe(english)
    expect(describeKept(keepReason(reason), 'de')).toBe(german)
  })

  test('stands in a form without the words before it', () => {
    expect(describeProblems(noTable, 'de')).toBe('Poll options ist ungültig')
    expect(describeProblems({ sentence: 'no_archive' }, 'en')).toBe('This is no .zip or .tar.gz archive')
  })

  test('keeps the codes of fields', () => {
    expect(describeDetails(taken, 'de')).toEqual({
      username: [{ error: 'ERR_TAKEN', description: 'ist schon vergeben' }],
    })
    expect(describeDetails(noTable, 'en')).toBeUndefined()
  })

  test('puts what people wrote in as it is', () => {
    const params = { name: `"{name}" '{' <b>` }
    expect(describeReason({ sentence: 'param_missing', params }, 'en')).toBe(
      `param is missing or the value is empty or invalid: "{name}" '{' <b>`,
    )
  })

  test('that was kept as a sentence is told as it is', () => {
    expect(describeKept('The file cannot be read', 'de')).toBe('The file cannot be read')
    for (const text of ['17', '{}', '[1]', '{"about":"x"}', 'null'])
      expect(describeKept(text, 'de')).toBe(text)
  })
})

const wordsOf = (name: string) => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

test('a parameter is called by its own words in English, but for those that Mastodon calls otherwise', () => {
  const { fields } = catalogueOf('en')['errors'] as { fields: Record<string, string> }
  const others = Object.keys(fields).filter((name) => fields[name] !== wordsOf(name))
  expect(others).toEqual(['email_address', 'registered_uri', 'relay_inbox'])
})

test('several reasons are told with what they are about, each in the language', () => {
  const reason: Reason = {
    reasons: [
      { about: 'a.jpg', reason: { sentence: 'file_unreadable' } },
      { sentence: 'item_files_left_out', params: { max: 4 } },
    ],
  }
  expect(describeKept(keepReason(reason), 'en')).toBe(
    'a.jpg: The file cannot be read; Only 4 of its files are here',
  )
  expect(describeReason(reason, 'de')).toBe(
    'a.jpg: Die Datei kann nicht gelesen werden; Nur 4 seiner Dateien sind hier',
  )
})
