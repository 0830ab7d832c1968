import type { Endpoint } from './endpoint.ts'
import * as documents from './documents.ts'
import * as inboxes from './inboxes.ts'

/** Every file of endpoints by its path, like the table of operations in `routes.ts`. */
const files: Readonly<Record<string, { endpoints: readonly Endpoint[] }>> = {
  'src/http/activitypub/documents.ts': documents,
  'src/http/activitypub/inboxes.ts': inboxes,
}

export interface ListedEndpoint extends Endpoint {
  readonly file: string
}

export const endpoints: readonly ListedEndpoint[] = Object.entries(files).flatMap(([file, module]) =>
  module.endpoints.map((endpoint) => ({ ...endpoint, file })),
)
