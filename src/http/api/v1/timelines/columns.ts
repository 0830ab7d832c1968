// Timelines beside each other, the same on every device: an extension of the Mastodon API.
import { z } from 'zod'
import { columnKind, Columns } from '#entities/personal/columns.ts'
import { columnsOf, setColumns } from '#domain/reading/timelines/columns.ts'
import { objects, text } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { badRequest } from '#lib/errors.ts'

const column = z.object({ kind: columnKind, about: text() })

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/columns',
    returns: Columns,
    auth: 'user',
    replicated: true,
    scopes: ['read', 'read:accounts'],
    handle: async ({ viewer }) => ({ columns: columnsOf(viewer) }),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/columns',
    returns: Columns,
    auth: 'user',
    scopes: ['write', 'write:accounts'],
    params: z.object({ columns: objects(column) }),
    async handle({ ctx, viewer, params: { columns } }) {
      if (columns === undefined) throw badRequest('param_missing', { name: 'columns' })
      return { columns: await setColumns(ctx, viewer, columns) }
    },
  }),
]
