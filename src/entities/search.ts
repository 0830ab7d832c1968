import { z } from 'zod'
import { Account } from './account.ts'
import { Collection } from './collection.ts'
import { entity, type Json, type Schema } from './entity.ts'
import { Status } from './status.ts'
import { Tag } from './tag.ts'

/** https://docs.joinmastodon.org/entities/Search/ */
const search = entity('Search', {
  accounts: z.array(Account),
  statuses: z.array(Status),
  hashtags: z.array(Tag),
  collections: z.array(Collection),
})
export interface Search extends Json<typeof search> {}
export const Search: Schema<Search> = search
