// What is done to many rows of a list at once, with a page before it that names them and says what will happen.
import type { Permission } from '#domain/identity/accounts/permissions.ts'
import { AppError, isAppError, notFound } from '#lib/errors.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { textParam } from '../../kit/form.ts'
import { redirectWith } from '../../kit/flash.ts'
import { adminPage, type DeskCall } from './admin-page.ts'
import { renderConfirm, tickedIds } from './confirm.ts'
import { renderFieldAlone, type Field } from './fields.ts'

export interface ManyActs {
  /** Of the list: what is ticked is sent to `/many` below it. */
  path: `/admin/${string}`
  permission: Permission
  /** What is an id, where that is not what ids of rows are. */
  isId?(text: string): boolean
  /** Where the list is, where that is not `path`. */
  back?: string
  /** What a row is called. Throws `not_found`. */
  nameOf(call: DeskCall, id: string): Promise<string>
  /** What can be done, by the value of the button. */
  acts: Readonly<Record<string, ManyAct>>
}

export interface ManyAct {
  label(call: DeskCall): string
  /** What happens to each, in a sentence. */
  consequence(call: DeskCall): string
  alarming?: boolean
  /** What is asked besides, for all of them. */
  fields?(call: DeskCall): Field
  run(call: DeskCall, id: string): Promise<unknown>
}

/** The pages, and the form around the table (see `renderBulk`). What is gone meanwhile is passed over. */
export function actOnTicked(many: ManyActs) {
  const action = `${many.path}/many` as const
  const back = many.back ?? many.path
  const actOf = (call: DeskCall) => {
    const name = textParam(call.params, 'action')
    return Object.hasOwn(many.acts, name) ? many.acts[name] : undefined
  }

  async function answer(call: DeskCall): Promise<Response> {
    const act = actOf(call)
    const ids = tickedIds(call, many.isId)
    if (!act || ids.length === 0)
      throw new AppError('invalid', { said: textsIn(call.language).pages.admin.noneTicked })
    return textParam(call.params, 'sure') === '1' ? run(call, act, ids) : ask(call, act, ids)
  }

  async function ask(call: DeskCall, act: ManyAct, ids: readonly string[]): Promise<Response> {
    const named = await Promise.all(ids.map((id) => ifThere(many.nameOf(call, id))))
    const there = ids.flatMap((id, index) => (named[index] == null ? [] : [{ id, name: named[index] }]))
    if (there.length === 0) throw notFound()
    return renderConfirm(call, {
      title: act.label(call),
      consequences: [act.consequence(call)],
      subjects: there.map(({ name }) => name),
      action,
      hidden: { action: textParam(call.params, 'action'), sure: '1' },
      ids: there.map(({ id }) => id),
      submit: act.label(call),
      back,
      ...(act.fields && { fields: renderFieldAlone(act.fields(call)) }),
    })
  }

  async function run(call: DeskCall, act: ManyAct, ids: readonly string[]): Promise<Response> {
    let done = 0
    for (const id of ids) if ((await ifThere(act.run(call, id).then(() => true))) === true) done += 1
    const t = textsIn(call.language).pages.desk.common
    return redirectWith(call, back, { text: t.doneToMany({ what: act.label(call), count: done }) })
  }

  return {
    pages: [adminPage({ method: 'POST', path: action, permission: many.permission, handle: answer })],
    form: (call: DeskCall) => ({
      action,
      actions: Object.entries(many.acts).map(([value, act]) => ({
        value,
        label: act.label(call),
        alarming: act.alarming ?? false,
      })),
    }),
  }
}

/** `actOnTicked` where all that can be done is to take away. */
export function removeTicked({
  remove,
  consequence,
  ...many
}: Omit<ManyActs, 'acts'> & { remove: ManyAct['run']; consequence: ManyAct['consequence'] }) {
  const label = (call: DeskCall) => textsIn(call.language).pages.desk.common.remove
  return actOnTicked({ ...many, acts: { remove: { label, consequence, alarming: true, run: remove } } })
}

async function ifThere<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (!isAppError(error, 'not_found')) throw error
    return null
  }
}
