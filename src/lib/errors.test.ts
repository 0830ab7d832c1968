import { describe, expect, test } from 'vitest'
import {
  AppError,
  forbidden,
  invalid,
  invalidForm,
  isAppError,
  notFound,
  problem,
  sentence,
  tooMany,
  unauthorized,
  unavailable,
} from '#lib/errors.ts'

describe('AppError', () => {
  test('the factories carry their code and the default words of the Mastodon API', () => {
    expect(notFound()).toMatchObject({ code: 'not_found', message: 'Record not found' })
    expect(forbidden()).toMatchObject({ code: 'forbidden', message: 'This action is not allowed' })
    expect(unauthorized()).toMatchObject({ code: 'unauthorized', message: 'The access token is invalid' })
    expect(tooMany()).toMatchObject({ code: 'too_many', message: 'Too many requests' })
  })

  test('the cause is kept apart from the message', () => {
    const cause = new Error('connect ECONNREFUSED 10.0.0.1')
    const error = unavailable('temporary_problem', undefined, { cause })
    expect(error.cause).toBe(cause)
    expect(error.message).toBe('There was a temporary problem serving your request, please try again')
    expect('cause' in notFound()).toBe(false)
  })

  test('a code with parameters says itself in English', () => {
    expect(invalid('text', 'too_long', { max: 5000 }).message).toBe(
      'Validation failed: Text is too long (maximum is 5000 characters)',
    )
    expect(invalid('base', 'no_csv').message).toBe('Validation failed: This is no CSV file')
    expect(invalidForm([problem('name', 'blank'), problem('url', 'taken')]).message).toBe(
      "Validation failed: Name can't be blank, Url has already been taken",
    )
    expect(notFound('no_local_account', { username: 'bob' }).message).toBe('There is no local account bob')
  })

  test('codes and parameters that there are not do not compile', () => {
    // @ts-expect-error The length is missing.
    expect(() => invalid('text', 'too_long')).toThrow('max')
    // @ts-expect-error There is no such field.
    expect(invalid('texts', 'blank').code).toBe('invalid')
    // @ts-expect-error That is no sentence of its own.
    expect(invalid('base', 'blank').code).toBe('invalid')
    // @ts-expect-error There is no such sentence.
    expect(notFound('nothing').message).toBe('nothing')
  })

  test('isAppError tells codes apart', () => {
    expect(isAppError(notFound())).toBe(true)
    expect(isAppError(notFound(), 'not_found')).toBe(true)
    expect(isAppError(notFound(), 'gone')).toBe(false)
    expect(isAppError(new Error('x'))).toBe(false)
    expect(new AppError('internal', sentence('internal'))).toBeInstanceOf(Error)
  })
})
