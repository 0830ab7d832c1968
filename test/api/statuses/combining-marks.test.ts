import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'

const app = useApp()
const pile = (letter: string) => letter + '\u0301\u0336\u0489'.repeat(100)
const maxPile = (text: string) => Math.max(0, ...(text.match(/\p{M}+/gu) ?? []).map((marks) => marks.length))

test('signs are not piled up in posts, warnings, polls, names, bios and fields', async () => {
  const alice = await app.person('alice')
  const status = await alice.say(`hello ${pile('a')} #t${pile('a')}g`, {
    spoiler_text: pile('w'),
    poll: { options: [pile('a'), 'b'], expires_in: 3600 },
  })
  expect(maxPile(JSON.stringify(status))).toBeGreaterThan(0)
  expect(maxPile(JSON.stringify(status))).toBeLessThanOrEqual(8)
  const edited = await alice.put(`/api/v1/statuses/${status.id}`, { status: pile('e') })
  expect(maxPile(JSON.stringify(edited.ok()))).toBeLessThanOrEqual(8)
  const profile = await alice.patch('/api/v1/accounts/update_credentials', {
    display_name: pile('n'),
    note: pile('b'),
    fields_attributes: [{ name: pile('f'), value: pile('v') }],
  })
  expect(maxPile(JSON.stringify(profile.ok()))).toBeLessThanOrEqual(8)
})
