import { describe, expect, test } from 'vitest'
import { readListing } from './read-listing.ts'

const page = (contents: string, end: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
  <Name>media</Name><Prefix>a%2F</Prefix><KeyCount>2</KeyCount>${contents}${end}
</ListBucketResult>`

const object = (key: string) =>
  `<Contents><Key>${key}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><ETag>&quot;x&quot;</ETag>
    <Size>12</Size><Owner><ID>me</ID><DisplayName>Key</DisplayName></Owner></Contents>`

describe('readListing', () => {
  test('names, sizes, times and where it goes on', () => {
    const end = '<IsTruncated>true</IsTruncated><NextContinuationToken>1&amp;2==</NextContinuationToken>'
    expect(readListing(page(object('a/one.png') + object('a/two%26+three.png'), end))).toEqual({
      objects: [
        { name: 'a/one.png', size: 12, modified: new Date('2026-01-02T03:04:05Z') },
        { name: 'a/two& three.png', size: 12, modified: new Date('2026-01-02T03:04:05Z') },
      ],
      next: '1&2==',
    })
  })

  test('the last page, and an empty bucket', () => {
    expect(readListing(page('', '<IsTruncated>false</IsTruncated>'))).toEqual({ objects: [], next: null })
  })

  test.each([
    ['another document', '<Error><Code>AccessDenied</Code></Error>'],
    ['no document', 'hello'],
    ['one that was cut off', page(object('a/one.png'), '<IsTruncated>false</IsTruncated>').slice(0, -80)],
    ['one that does not say how it goes on', page('', '<IsTruncated>true</IsTruncated>')],
  ])('refuses %s', (_, xml) => {
    expect(() => readListing(xml)).toThrow()
  })
})
