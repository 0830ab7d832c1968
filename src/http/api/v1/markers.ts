import { z } from 'zod'
import { Markers } from '#entities/marker.ts'
import { listMarkers, saveMarkers } from '#domain/reading/notifications/markers.ts'
import { id, texts } from '#http/kit/params/fields.ts'
import { isTree } from '#http/kit/params/params.ts'
import { route } from '#http/kit/route.ts'
import { renderMarkers } from '#views/reading/markers.ts'

/** `home[last_read_id]`; what is no object is not given. */
const place = () =>
  z.preprocess(
    (value) => (isTree(value as never) ? value : undefined),
    z.object({ last_read_id: id() }).optional(),
  )

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/markers',
    returns: Markers,
    auth: 'user',
    scopes: ['read', 'read:statuses'],
    params: z.object({ timeline: texts() }),
    async handle({ ctx, viewer, params }) {
      return renderMarkers(await listMarkers(ctx, viewer.accountId, params.timeline ?? []))
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/markers',
    returns: Markers,
    auth: 'user',
    scopes: ['write', 'write:statuses'],
    params: z.object({ home: place(), notifications: place() }),
    async handle({ ctx, viewer, params }) {
      const places = { home: params.home?.last_read_id, notifications: params.notifications?.last_read_id }
      return renderMarkers(await saveMarkers(ctx, viewer, places))
    },
  }),
]
