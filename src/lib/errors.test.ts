import { describe, expect, test } from 'vitest'
import {
  AppError,
  forbidden,
  invalid,
  isAppError,
  notFound,
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

  test('details and cause are kept apart from the message', () => {
    const details = { text: [{ error: 'ERR_BLANK', description: "can't be blank" }] }
    expect(invalid('Validation failed', details).details).toEqual(details)
    const cause = new Error('connect ECONNREFUSED 10.0.0.1')
    const error = unavailable(undefined, cause)
    expect(error.cause).toBe(cause)
    expect(error.message).not.toContain('10.0.0.1')
    expect('cause' in notFound()).toBe(false)
  })

  test('isAppError tells codes apart', () => {
    expect(isAppError(notFound())).toBe(true)
    expect(isAppError(notFound(), 'not_found')).toBe(true)
    expect(isAppError(notFound(), 'gone')).toBe(false)
    expect(isAppError(new Error('x'))).toBe(false)
    expect(new AppError('internal', 'x')).toBeInstanceOf(Error)
  })
})
