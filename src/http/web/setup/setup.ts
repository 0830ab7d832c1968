// A fresh server in a browser: whoever has the link that its start prints says what it is and gets the first account.
import { html } from 'hono/html'
import { isSetUpToken, setUpServer, type SetUp } from '#domain/identity/accounts/registration/set-up.ts'
import { awaitsSetup } from '#domain/identity/sign-up-restrictions/registrations.ts'
import { isAppError, notFound } from '#lib/errors.ts'
import { describeDetails, describeProblems } from '#lib/messages/describe-error.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { oneOf, renderPart, renderRadios } from '../kit/controls.ts'
import { renderField, renderForm, textParam } from '../kit/form.ts'
import type { Html } from '../kit/html.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import { renderMessage } from '../kit/message.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { signInBrowser } from '../kit/session.ts'
import { problemsOf } from '../sign-in/sign-up-problems.ts'

const path = '/setup'
const modes = ['approved', 'none', 'open'] as const
const maxRule = 300

interface Refused {
  /** By field. */
  problems: Record<string, string>
  /** What is about none of the fields. */
  problem?: string
}

function render(call: PageCall, refused: Refused = { problems: {} }): Promise<Response> {
  const t = textsIn(call.language).pages.setUp
  const isRefused = Object.keys(refused.problems).length > 0 || refused.problem !== undefined
  const form = renderForm(call, {
    action: path,
    hidden: { token: textParam(call.params, 'token') },
    problem: refused.problem ?? null,
    fields: [renderServer(call), renderDoor(call), renderRules(call, refused), renderOwner(call, refused)],
    submit: t.submit,
  })
  const body = html`<p>${t.hint({ domain: call.ctx.config.localDomain })}</p>
    ${form}`
  return renderPage(call, { title: t.title, body, wide: true, status: isRefused ? 422 : 200 })
}

function renderServer({ language, params }: PageCall): Html {
  const t = textsIn(language).pages.setUp
  return renderPart({
    id: 'server',
    title: t.server,
    fields: [
      renderField({
        name: 'title',
        label: t.name,
        value: textParam(params, 'title'),
        hint: t.nameHint,
        maxLength: 100,
      }),
      renderField({
        name: 'description',
        label: t.description,
        value: textParam(params, 'description'),
        hint: t.descriptionHint,
        required: false,
        rows: 3,
        maxLength: 500,
      }),
    ],
  })
}

function renderDoor({ language, params }: PageCall): Html {
  const t = textsIn(language).pages.setUp
  return renderPart({
    id: 'door',
    title: t.door,
    fields: [
      renderRadios({
        name: 'registrations',
        label: t.registrations,
        options: modes.map((value) => ({ value, ...t.modes[value] })),
        value: oneOf(params, ['registrations'], modes),
      }),
    ],
  })
}

function renderRules({ language, params }: PageCall, { problems }: Refused): Html {
  const t = textsIn(language).pages.setUp
  const isSent = params['rules'] !== undefined
  return renderPart({
    id: 'rules',
    title: t.rules,
    fields: [
      renderField({
        name: 'rules',
        label: t.rulesLabel,
        hint: t.rulesHint,
        value: isSent ? textParam(params, 'rules') : t.rulesExample,
        problem: problems['rules'],
        required: false,
        rows: 5,
      }),
    ],
  })
}

function renderOwner({ ctx, language, params }: PageCall, { problems }: Refused): Html {
  const t = textsIn(language).pages.setUp
  const words = textsIn(language).pages.signUp
  const field = (name: string) => ({ name, value: textParam(params, name), problem: problems[name] })
  return renderPart({
    id: 'owner',
    title: t.owner,
    hint: t.ownerHint,
    fields: [
      renderField({
        ...field('username'),
        label: words.username,
        hint: words.usernameHint({ domain: ctx.config.localDomain }),
        autocomplete: 'username',
        maxLength: 30,
      }),
      renderField({
        ...field('email'),
        label: words.email,
        type: 'email',
        hint: ctx.config.smtp ? t.mailGoes({ host: ctx.config.smtp.host }) : t.mailStays,
        autocomplete: 'email',
        maxLength: 320,
      }),
      renderField({
        ...field('password'),
        label: words.password,
        type: 'password',
        hint: words.passwordHint,
        autocomplete: 'new-password',
        minLength: 8,
        maxLength: 72,
      }),
    ],
  })
}

const linesOf = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

function readForm({ params, language }: PageCall): SetUp {
  const sent = (name: string) => textParam(params, name).trim()
  return {
    title: sent('title'),
    description: sent('description'),
    registrations: oneOf(params, ['registrations'], modes),
    rules: linesOf(sent('rules')),
    username: sent('username').replace(/^@/, ''),
    email: sent('email'),
    password: textParam(params, 'password'),
    locale: language,
  }
}

async function setUp(call: PageCall): Promise<Response> {
  const t = textsIn(call.language).pages.setUp
  const wanted = readForm(call)
  if (wanted.rules.some((rule) => [...rule].length > maxRule))
    return render(call, { problems: { rules: t.ruleTooLong({ max: maxRule }) } })
  try {
    const { userId } = await setUpServer(call.ctx, wanted)
    const userAgent = call.request.headers.get('user-agent')
    await signInBrowser(call.ctx, call.browser, {
      userId,
      address: call.address,
      userAgent,
      passwordHash: null,
    })
  } catch (error) {
    return refuse(call, error)
  }
  return redirectTo('/setup/done')
}

function refuse(call: PageCall, error: unknown): Promise<Response> {
  if (!isAppError(error, 'invalid')) throw error
  const details = describeDetails(error.reason, call.language) ?? {}
  const isAboutOwner = ['username', 'email', 'password'].some((name) => Object.hasOwn(details, name))
  if (isAboutOwner) return render(call, { problems: problemsOf(error, call.language) })
  return render(call, { problems: {}, problem: describeProblems(error.reason, call.language) })
}

/** Once there is an account the address leads nowhere. Without the link nobody sees more than how to get it. */
const forHolder =
  (work: (call: PageCall) => Promise<Response>): Page['handle'] =>
  async (call) => {
    if (!(await awaitsSetup(call.ctx))) throw notFound('page_not_found')
    const t = textsIn(call.language).pages.setUp
    if (!isSetUpToken(call.ctx.secrets, textParam(call.params, 'token')))
      return renderMessage(call, { title: t.title, message: t.wantsLink, status: 403 })
    return work(call)
  }

export const pages: readonly Page[] = [
  { method: 'GET', path: '/setup', handle: forHolder((call) => render(call)) },
  { method: 'POST', path: '/setup', handle: forHolder(setUp) },
]
