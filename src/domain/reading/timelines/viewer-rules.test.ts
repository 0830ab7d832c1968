import { expect, test } from 'vitest'
import { isShownTo, type Encounter, type ViewerRules } from './viewer-rules.ts'
import { asId, asIds, type AccountId } from '#lib/id.ts'

const open: ViewerRules = {
  accountId: asId<AccountId>('1'),
  filtersVersion: 0,
  languages: null,
  blocked: new Set(asIds<AccountId>(['2'])),
  muted: new Map([
    [asId<AccountId>('3'), { expiresAt: null, hideNotifications: true }],
    [asId<AccountId>('4'), { expiresAt: 1_000, hideNotifications: false }],
  ]),
  domains: new Set(['hidden.example']),
}
const plain: Encounter = { authorId: asId<AccountId>('9'), domain: null, language: 'en', mentionIds: [] }

test.each<[string, Partial<ViewerRules>, Partial<Encounter>, boolean]>([
  ['a stranger', {}, {}, true],
  ['one from elsewhere', {}, { domain: 'open.example' }, true],
  ['one from a hidden domain', {}, { domain: 'hidden.example' }, false],
  ['a blocked author', {}, { authorId: asId<AccountId>('2') }, false],
  ['a muted author', {}, { authorId: asId<AccountId>('3') }, false],
  ['one whose mute has ended', {}, { authorId: asId<AccountId>('4') }, true],
  ['who names a blocked account', {}, { mentionIds: asIds<AccountId>(['8', '2']) }, false],
  ['who names a muted account', {}, { mentionIds: asIds<AccountId>(['3']) }, false],
  ['another language', { languages: new Set(['de']) }, {}, false],
  ['a chosen language', { languages: new Set(['de', 'en']) }, {}, true],
  ['no known language', { languages: new Set(['de']) }, { language: null }, true],
])('%s', (_, rules, status, welcome) => {
  expect(isShownTo({ ...open, ...rules }, { ...plain, ...status }, 1_000)).toBe(welcome)
})

test('a mute holds until its end', () => {
  expect(isShownTo(open, { ...plain, authorId: asId<AccountId>('4') }, 999)).toBe(false)
})
