// What staff do through the API and on the desk leaves a row in the audit log: checked of every answer in every test.

/** Operations that change nothing, although they are no GET: questions with a body. */
const questions =
  /^\/api\/v1\/admin\/(measures|dimensions|retention|canonical_email_blocks\/test|[\w/]+\/(preview|dry_run))$/

/** Throws when a staff operation succeeded and none of the statements that it ran wrote to the audit log. */
export function assertAudited(
  request: { method: string; path: string; body: unknown },
  { status, leadsTo }: { status: number; leadsTo: string | null },
  statements: readonly string[],
): void {
  // Nothing asked for, nothing done.
  if (request.body === '{}') return
  if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return
  // A form of the desk that did something leads on; one that only asked is answered with a page.
  const isDone = request.path.startsWith('/admin/')
    ? status === 303 && leadsTo?.startsWith('/admin/') === true
    : status < 300 && /^\/api\/v\d\/admin\//.test(request.path)
  if (!isDone) return
  if (questions.test(request.path) || statements.some((one) => one.includes('insert into audit_log'))) return
  throw new Error(`${request.method} ${request.path} succeeded without a row in the audit log (recordAction)`)
}
