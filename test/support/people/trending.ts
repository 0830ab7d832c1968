// What makes hashtags, links and statuses trend, for tests.
import type { Ctx } from '#ports/ctx.ts'
import type { People, Person } from './people.ts'
import { changeStatus } from './status-parts.ts'
import type { PreviewCardId } from '#lib/id.ts'

/** Noon of a day to come: nothing happens at midnight unless a test wants it. */
export const noon = Date.parse('2031-05-05T12:00:00Z')

/** People who want to be found. */
export async function crowd(app: Pick<People, 'person'>, size: number): Promise<Person[]> {
  const people: Person[] = []
  for (let n = 0; n < size; n++) people.push(await discoverable(app, 'fan'))
  return people
}

export async function discoverable(app: Pick<People, 'person'>, name: string): Promise<Person> {
  const person = await app.person(name)
  ;(await person.patch('/api/v1/accounts/update_credentials', { discoverable: true })).ok()
  return person
}

/** The preview of a page that may trend. Returns its id. */
export async function pageCard(
  ctx: Ctx,
  url: string,
  more: Record<string, string | null> = {},
): Promise<string> {
  const id = ctx.newId<PreviewCardId>()
  await ctx.db
    .insertInto('preview_cards')
    .values({
      id,
      url,
      url_hash: Buffer.from(`${url}#${id}`),
      title: 'A story',
      language: 'en',
      provider_name: 'The News',
      image_key: `preview_cards/${id}/image.jpg`,
      ...more,
    })
    .execute()
  return id
}

/** Each of the people posts a link to the page. Returns the ids, in their order. */
export async function share(
  app: { readonly ctx: Ctx },
  people: readonly Person[],
  cardId: string,
  options: Record<string, unknown> = {},
): Promise<string[]> {
  const ids: string[] = []
  for (const person of people) {
    const { id } = await person.say('look at this', options)
    await changeStatus(app.ctx, id, { card_id: cardId })
    ids.push(id)
  }
  return ids
}

/** Each of the people favourites the status. */
export async function applaud(people: readonly Person[], statusId: string): Promise<void> {
  for (const person of people) (await person.post(`/api/v1/statuses/${statusId}/favourite`)).ok()
}
