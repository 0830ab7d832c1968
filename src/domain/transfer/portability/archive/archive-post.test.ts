import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readItem } from './archive-post.ts'
import { runs } from '#test/run/night.ts'

const ann = 'https://old.example/users/ann'
const everybody = 'https://www.w3.org/ns/activitystreams#Public'

const create = (object: object, around: object = {}) =>
  readItem({
    type: 'Create',
    actor: ann,
    object: { id: `${ann}/1`, type: 'Note', published: '2020-01-01T00:00:00Z', content: 'x', ...object },
    ...around,
  })

describe('an activity of an archive', () => {
  test.each([
    [{ to: [everybody], cc: [`${ann}/followers`] }, {}, 'public'],
    [{ to: 'as:Public' }, {}, 'public'],
    [{ to: [`${ann}/followers`], cc: ['Public'] }, {}, 'unlisted'],
    [{ to: [`${ann}/followers`] }, {}, 'private'],
    [{ to: ['https://x.example/users/bob/followers'] }, {}, 'direct'],
    [{ to: [], cc: [] }, {}, 'direct'],
    [{}, {}, 'direct'],
    // What is said twice counts where it is narrower.
    [{ to: [everybody] }, { to: [`${ann}/followers`] }, 'private'],
    [{ to: [`${ann}/followers`] }, { to: [everybody] }, 'private'],
    [{}, { to: [everybody] }, 'public'],
    [{ bto: [everybody] }, {}, 'direct'],
  ])('addressed by %j in %j is %s', (object, around, visibility) => {
    expect(create(object, around)).toMatchObject({ kind: 'post', visibility })
  })

  test('tells where its files may be', () => {
    const filesOf = (url: unknown) =>
      (create({ attachment: { type: 'Document', url } }) as { attachments: { files: string[] }[] })
        .attachments[0]?.files
    expect(filesOf('/media_attachments/files/1/a.png')).toEqual(['media_attachments/files/1/a.png'])
    expect(filesOf('media_attachments/a.png')).toEqual(['media_attachments/a.png'])
    expect(filesOf('/system/media_attachments/a.png')).toEqual(['media_attachments/a.png'])
    expect(filesOf('https://files.example/bucket/media_attachments/a.png?x')).toEqual([
      'bucket/media_attachments/a.png',
      'media_attachments/a.png',
    ])
    expect(filesOf([{ type: 'Link', href: '/a.png' }])).toEqual(['a.png'])
    expect(filesOf(7)).toBeUndefined()
  })

  test('tells who may quote it', () => {
    const policy = (automaticApproval: unknown) =>
      create({ interactionPolicy: { canQuote: { automaticApproval } } })
    expect(policy([everybody])).toMatchObject({ quotePolicy: 'public' })
    expect(policy(`${ann}/followers`)).toMatchObject({ quotePolicy: 'followers' })
    expect(policy([ann])).toMatchObject({ quotePolicy: 'nobody' })
    expect(create({})).toMatchObject({ quotePolicy: null })
  })

  test('tells who may answer it', () => {
    const policy = (automaticApproval: unknown) =>
      create({ interactionPolicy: { canReply: { automaticApproval } } })
    expect(policy([everybody])).toMatchObject({ replyPolicy: 'public' })
    expect(policy([ann, `${ann}/followers`])).toMatchObject({ replyPolicy: 'followers' })
    expect(policy([ann, `${ann}/following`])).toMatchObject({ replyPolicy: 'following' })
    expect(policy([ann])).toMatchObject({ replyPolicy: 'mentioned' })
    expect(create({})).toMatchObject({ replyPolicy: null })
  })

  test('that makes no sense never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (a, b, c) => {
        for (const type of ['Note', 'Question']) {
          const names = [
            'to',
            'cc',
            'tag',
            'attachment',
            'content',
            'contentMap',
            'oneOf',
            'anyOf',
            'inReplyTo',
            'source',
          ]
          const object = Object.fromEntries(names.map((name, n) => [name, [a, b, c][n % 3]]))
          expect(create({ type, ...object }).kind).toBe('post')
          expect(create({ type, ...object, id: a, published: b, attributedTo: c }).kind).toMatch(
            /post|broken/,
          )
        }
        expect(typeof readItem(a).kind).toBe('string')
        expect(typeof readItem({ type: 'Announce', object: a, id: b, actor: c }).kind).toBe('string')
      }),
      { numRuns: runs(200) },
    )
  })
})
