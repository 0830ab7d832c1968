// What a number is asked about, as `KEY[id]` or `KEY[domain]`.
import { z } from 'zod'
import { requireDomain } from '#domain/social/relationships/domain-blocks.ts'
import { badRequest, notFound } from '#lib/errors.ts'
import { isId } from '#lib/ids.ts'
import { object, text } from '#http/kit/params/fields.ts'

export const aboutTag = () => object(z.object({ id: text() }))
export const aboutHost = () => object(z.object({ domain: text() }))

type Given = Readonly<Record<string, { id?: string | undefined; domain?: string | undefined } | undefined>>

/**
 * What each of the keys is asked about, where it is asked about something. Throws `bad_request` when that is not said,
 * and `not_found` for what is no id.
 */
export function subjectsOf(keys: readonly string[], given: Given): Record<string, string> {
  return Object.fromEntries(
    keys.filter((key) => needed.test(key)).map((key) => [key, subjectOf(key, given[key])]),
  )
}

const needed = /^(?:tag|instance)_/

function subjectOf(key: string, about: Given[string]): string {
  const isTag = key.startsWith('tag_')
  const value = isTag ? about?.id : about?.domain
  if (!value) throw badRequest('param_missing', { name: key })
  if (!isTag) return requireDomain(value)
  if (!isId(value)) throw notFound()
  return value
}
