// What forms and addresses of the desk say, as the commands take it.
import { notFound } from '#lib/errors.ts'
import { asId, type AnyId } from '#lib/id.ts'
import { isId } from '#lib/ids.ts'
import { isOneOf } from '#lib/collections.ts'
import { textParam } from '../../kit/form.ts'
import type { DeskCall } from './admin-page.ts'

/** The id in the address. Throws `not_found`. */
export function idParam<Id extends AnyId>(call: DeskCall, name = 'id'): Id {
  const id = textParam(call.params, name)
  if (!isId(id)) throw notFound()
  return asId<Id>(id)
}

/** An id that may be left out; what is none counts as left out. */
export function optionalId<Id extends AnyId>(call: DeskCall, name: string): Id | undefined {
  const id = textParam(call.params, name)
  return isId(id) ? asId<Id>(id) : undefined
}

/** One of these words; undefined for anything else. */
export function wordParam<const Word extends string>(
  call: DeskCall,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const word = textParam(call.params, name)
  return isOneOf(words, word) ? word : undefined
}
