import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maxEntries, parseList } from './parse-list.ts'

const domains = (text: string) => parseList(text)?.hosts.map(({ domain, severity }) => [domain, severity])

describe('a list of servers', () => {
  test('as Mastodon exports it', () => {
    const text = `#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate
bad.example,suspend,TRUE,false,"spam, mostly",true
loud.example,silence,false,true,,false
`
    expect(parseList(text)).toEqual({
      hosts: [
        {
          domain: 'bad.example',
          severity: 'suspend',
          rejectMedia: true,
          rejectReports: false,
          obfuscate: true,
          publicComment: 'spam, mostly',
        },
        {
          domain: 'loud.example',
          severity: 'silence',
          rejectMedia: false,
          rejectReports: true,
          obfuscate: false,
          publicComment: '',
        },
      ],
      skipped: [],
      skippedCount: 0,
    })
  })

  test('as names alone, with remarks, other columns and other words', () => {
    expect(domains('\uFEFFa.example\n# a remark\n\nB.EXAMPLE\n@c.example\n')).toEqual([
      ['a.example', 'suspend'],
      ['b.example', 'suspend'],
      ['c.example', 'suspend'],
    ])
    expect(domains('severity,note,domain\nlimit,x,a.example\nnone,y,b.example\n')).toEqual([
      ['a.example', 'silence'],
      ['b.example', 'noop'],
    ])
  })

  test('as an instance shows its own', () => {
    const text = JSON.stringify([
      { domain: 'a.example', severity: 'silence', comment: 'noise', digest: 'x' },
      { domain: 'b***.example', severity: 'suspend' },
      'c.example',
    ])
    expect(domains(text)).toEqual([
      ['a.example', 'silence'],
      ['c.example', 'suspend'],
    ])
    expect(parseList(text)?.skipped).toEqual([{ line: 2, text: 'b***.example', reason: 'hidden letters' }])
  })

  test('names what it leaves out by its line in the file, and takes a domain once', () => {
    const list = parseList(
      'domain,severity\n# a remark\na.example,suspend\na.example,noop\n\nno domain,suspend\nx.example,maybe',
    )
    expect(list?.hosts.map(({ severity }) => severity)).toEqual(['suspend'])
    expect(list?.skipped.map(({ line, reason }) => [line, reason])).toEqual([
      [6, 'not a domain'],
      [7, 'unknown severity'],
    ])
  })

  test('names no registry, under which everybody has their name', () => {
    const names = ['co.uk', 'CO.UK.', 'com.br:8443', 'foo.ck', 'a.co.uk', 'github.io', '192.0.2.1']
    expect(domains(names.join('\n'))?.map(([name]) => name)).toEqual(['a.co.uk', 'github.io', '192.0.2.1'])
    expect(parseList('co.uk')?.skipped).toEqual([
      { line: 1, text: 'co.uk', reason: 'everybody below a registry' },
    ])
  })

  test('has comments that the database takes, however they are cut', () => {
    const comment = `a\0b${'x'.repeat(497)}\u{1F426}`
    const [host] = parseList(JSON.stringify([{ domain: 'a.example', comment }]))?.hosts ?? []
    expect(host?.publicComment).toBe(`ab${'x'.repeat(497)}\uFFFD`)
  })

  test('has an end', () => {
    const text = Array.from({ length: maxEntries + 5 }, (_, i) => `h${i}.example`).join('\n')
    const list = parseList(text)
    expect([list?.hosts.length, list?.skippedCount]).toEqual([maxEntries, 5])
  })

  test('is null when it is none', () => {
    expect(parseList('{"error":"x"}')?.hosts ?? []).toEqual([])
    expect(parseList('[1,')).toBeNull()
  })

  test('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const { domain } of parseList(text)?.hosts ?? []) expect(domain).toMatch(/^[^\s,*]+\.[^\s,*]+$/)
      }),
    )
  })
})
