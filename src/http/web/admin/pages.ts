// Every file of pages of the staff's desk by its path.
import type { Page } from '../kit/page.ts'
import { pages as start } from './start.ts'

export const adminFiles: Readonly<Record<string, { pages: readonly Page[] }>> = {
  'src/http/web/admin/start.ts': { pages: start },
}
