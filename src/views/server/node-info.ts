import type { NodeInfo, NodeInfoLinks } from '#entities/instance/discovery.ts'
import type { Ctx } from '#ports/ctx.ts'
import { getPostCounts, getUsage } from '#domain/server/instance/document.ts'
import { softwareName, softwareVersion, sourceUrl } from '#domain/server/instance/document-version.ts'
import { areRegistrationsOpen } from '#domain/identity/sign-up-restrictions/registrations.ts'
import { getSettings } from '#domain/server/instance/settings.ts'

export type NodeInfoVersion = '2.0' | '2.1'

/** The NodeInfo document (specification, section 2.1; https://nodeinfo.diaspora.software/schema.html). */
export async function viewNodeInfo(ctx: Ctx, version: NodeInfoVersion): Promise<NodeInfo> {
  const settings = await getSettings(ctx)
  const [usage, counts] = await Promise.all([getUsage(ctx), getPostCounts(ctx)])
  const isOpen = settings.registrations_mode === 'open' && (await areRegistrationsOpen(ctx, settings))
  return {
    version,
    software: {
      name: softwareName,
      version: softwareVersion,
      ...(version === '2.1' && sourceUrl !== null && { repository: sourceUrl }),
    },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    openRegistrations: isOpen,
    usage: {
      users: { total: usage.users, activeMonth: usage.activeMonth, activeHalfyear: usage.activeHalfyear },
      localPosts: counts.posts,
      localComments: counts.comments,
    },
    metadata: { nodeName: settings.site_title, nodeDescription: settings.site_short_description },
  }
}

/** The list of versions, for discovery (RFC 6415). */
export function renderNodeInfoLinks(baseUrl: string): NodeInfoLinks {
  const versions: NodeInfoVersion[] = ['2.0', '2.1']
  return {
    links: [
      ...versions.map((version) => ({
        rel: `http://nodeinfo.diaspora.software/ns/schema/${version}`,
        href: `${baseUrl}/nodeinfo/${version}`,
      })),
      // The server's own actor (FEP-2677).
      { rel: 'https://www.w3.org/ns/activitystreams#Application', href: `${baseUrl}/actor` },
    ],
  }
}
