// Asks the browser for a passkey and sends what it answers with the form.
const form = document.querySelector('form[data-passkey]')
const told = (name) => form.querySelector(`[data-told="${name}"]`)

const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
const toText = (buffer) =>
  buffer &&
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** What PublicKeyCredential.parse…OptionsFromJSON does, for browsers without it. */
function parseOptions(options) {
  const known = (list) => list?.map((one) => ({ ...one, id: toBytes(one.id) }))
  const parsed = { ...options, challenge: toBytes(options.challenge) }
  if (options.user) parsed.user = { ...options.user, id: toBytes(options.user.id) }
  if (options.allowCredentials) parsed.allowCredentials = known(options.allowCredentials)
  if (options.excludeCredentials) parsed.excludeCredentials = known(options.excludeCredentials)
  return parsed
}

/** What PublicKeyCredential.toJSON does, as far as the server looks. */
function toJson({ id, rawId, type, response }) {
  const common = { clientDataJSON: toText(response.clientDataJSON) }
  const answer = response.attestationObject
    ? {
        ...common,
        attestationObject: toText(response.attestationObject),
        transports: response.getTransports?.() ?? [],
      }
    : {
        ...common,
        authenticatorData: toText(response.authenticatorData),
        signature: toText(response.signature),
        userHandle: toText(response.userHandle) ?? undefined,
      }
  return { id, rawId: toText(rawId), type, response: answer, clientExtensionResults: {} }
}

async function ask() {
  const options = JSON.parse(form.dataset.options)
  const isNew = form.dataset.passkey === 'create'
  const parse = isNew
    ? PublicKeyCredential.parseCreationOptionsFromJSON
    : PublicKeyCredential.parseRequestOptionsFromJSON
  const publicKey = parse ? parse.call(PublicKeyCredential, options) : parseOptions(options)
  const credential = await (isNew
    ? navigator.credentials.create({ publicKey })
    : navigator.credentials.get({ publicKey }))
  form.elements.credential.value = JSON.stringify(
    typeof credential.toJSON === 'function' ? credential.toJSON() : toJson(credential),
  )
  form.submit()
}

if (window.PublicKeyCredential) {
  const button = told('ask')
  told('unknown').hidden = true
  button.hidden = false
  button.addEventListener('click', async () => {
    const problems = ['refused', 'there'].map(told)
    for (const problem of problems) problem.hidden = true
    button.disabled = true
    try {
      await ask()
    } catch (error) {
      button.disabled = false
      button.focus()
      // Only of one of its own a device says that it has it.
      problems[error.name === 'InvalidStateError' ? 1 : 0].hidden = false
    }
  })
}
