import type { Permission } from '#domain/identity/accounts/permissions.ts'
import { forbidden } from '#lib/errors.ts'
import { redirectTo } from '../kit/layout.ts'
import type { Page } from '../kit/page.ts'
import { adminPage } from './kit/admin-page.ts'
import { sectionsFor } from './kit/desk.ts'
import { sectionPath, sections } from './kit/sections.ts'

const anyOf: readonly Permission[] = [...new Set(sections.flatMap(({ permission }) => permission))]

export const pages: readonly Page[] = [
  /** The desk begins with the first of its pages that is the viewer's. */
  adminPage({
    path: '/admin',
    permission: anyOf,
    async handle(call) {
      const [first] = sectionsFor(call)
      if (!first) throw forbidden()
      return redirectTo(sectionPath(first.name), 302)
    },
  }),
]
