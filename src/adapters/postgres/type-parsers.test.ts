import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { urlOf } from '#test/run/temporary-cluster.ts'
import { typeParsers } from './type-parsers.ts'

const connect = async (options: pg.ClientConfig) => {
  const client = new pg.Client({ connectionString: urlOf(inject('clusterUrl'), 'postgres'), ...options })
  await client.connect()
  return client
}

describe.each(['UTC', 'Asia/Kolkata', 'America/St_Johns'])('where the time zone is %s', (zone) => {
  let own: pg.Client
  let usual: pg.Client
  beforeAll(async () => {
    own = await connect({ types: typeParsers, options: `-c timezone=${zone}` })
    usual = await connect({ options: `-c timezone=${zone}` })
  })
  afterAll(() => Promise.all([own.end(), usual.end()]))

  test('ids and lists of them are read as pg reads them', async () => {
    const id = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)
    const list = fc.oneof(fc.array(fc.option(id)), fc.array(id), fc.array(fc.tuple(id, id), { minLength: 1 }))
    await fc.assert(
      fc.asyncProperty(id, fc.option(list), async (one, many) => {
        const [text, values] = ['select $1::int8 as one, $2::int8[] as many', [one, many]] as const
        const { rows } = await own.query(text, [...values])
        expect(rows).toEqual((await usual.query(text, [...values])).rows)
        expect(rows).toEqual([{ one, many }])
      }),
    )
  })

  test('times are read as pg reads them', async () => {
    const time = fc.date({
      min: new Date('-004000-01-01T00:00:00Z'),
      max: new Date('+020000-01-01T00:00:00Z'),
      noInvalidDate: true,
    })
    const text = `select to_timestamp($1::float8) + make_interval(secs => $2::float8) as time`
    await fc.assert(
      fc.asyncProperty(time, fc.integer({ min: 0, max: 999 }), async (at, micros) => {
        const values = [at.getTime() / 1000, micros / 1e6]
        const { rows } = await own.query(text, values)
        expect(rows).toEqual((await usual.query(text, values)).rows)
      }),
    )
  })

  test.each([
    'infinity',
    '-infinity',
    '0044-03-15 12:00:00 BC',
    '0099-12-31 23:59:59.5',
    '12026-01-01 00:00',
  ])('and so is %s', async (at) => {
    const text = 'select $1::timestamptz as time'
    const [mine, theirs] = await Promise.all([own.query(text, [at]), usual.query(text, [at])])
    expect(mine.rows).toEqual(theirs.rows)
  })
})
