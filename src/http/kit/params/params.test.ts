import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asArray, treeFromJson, treeFromPairs } from './params.ts'

const tree = (query: string) => JSON.parse(JSON.stringify(treeFromPairs(new URLSearchParams(query))))

describe('parameter trees', () => {
  test('names are read in the spellings apps use', () => {
    expect(tree('id[]=1&id[]=2')).toEqual({ id: ['1', '2'] })
    expect(asArray(treeFromPairs(new URLSearchParams('id[0]=1&id[1]=2'))['id'])).toEqual(['1', '2'])
    expect(tree('source[privacy]=private&source[sensitive]=1')).toEqual({
      source: { privacy: 'private', sensitive: '1' },
    })
    expect(tree('poll[options][]=a&poll[options][]=b')).toEqual({ poll: { options: ['a', 'b'] } })
    expect(tree('f[0][name]=a&f[0][value]=b&f[1][name]=c')).toEqual({
      f: { 0: { name: 'a', value: 'b' }, 1: { name: 'c' } },
    })
  })

  test('a repeated key starts the next object of a list', () => {
    expect(tree('f[][name]=a&f[][value]=b&f[][name]=c&f[][value]=d')).toEqual({
      f: [
        { name: 'a', value: 'b' },
        { name: 'c', value: 'd' },
      ],
    })
  })

  test('JSON bodies may spell their keys with brackets too', () => {
    expect(JSON.parse(JSON.stringify(treeFromJson({ 'home[last_read_id]': '1', a: [1] })))).toEqual({
      home: { last_read_id: '1' },
      a: [1],
    })
    for (const odd of [null, 1, 'x', []]) expect(Object.keys(treeFromJson(odd))).toEqual([])
  })

  test('names of the language are left out and nothing is polluted [FED-32]', () => {
    const hostile = '__proto__[x]=1&constructor[prototype][x]=1&a[__proto__][x]=1'
    expect(tree(hostile)).toEqual({})
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })

  test('no input throws', () => {
    const key = fc.string({ unit: fc.constantFrom('a', 'b', '[', ']', '0', '_') })
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.string())), (pairs) => {
        expect(typeof treeFromPairs(pairs)).toBe('object')
      }),
    )
  })
})
