// Does the work of ALTCHA's protocol (https://altcha.org/docs/v2/proof-of-work/), says how far it is, and sends the form.
const form = document.querySelector('form[data-work]')
const told = (name) => form.querySelector(`[data-told="${name}"]`)
const piece = 2000

const toHex = (buffer) =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')

async function work() {
  const { algorithm, challenge, maxnumber, salt, signature } = JSON.parse(form.dataset.work)
  const encoder = new TextEncoder()
  const progress = told('progress')
  progress.max = maxnumber
  const isIt = async (number) => {
    const hash = await crypto.subtle.digest(algorithm, encoder.encode(salt + number))
    return toHex(hash) === challenge ? number : null
  }
  for (let begin = 0; begin <= maxnumber; begin += piece) {
    const numbers = Array.from({ length: piece }, (_, index) => begin + index)
    const found = (await Promise.all(numbers.map(isIt))).find((number) => number !== null)
    progress.value = begin
    if (found === undefined) continue
    form.elements.altcha.value = btoa(
      JSON.stringify({ algorithm, challenge, number: found, salt, signature }),
    )
    form.submit()
    return
  }
  throw new Error('there is no such number')
}

// Browsers do such work only where the connection is secure.
if (window.crypto?.subtle) {
  told('working').hidden = false
  told('without').hidden = true
  work().catch(() => {
    told('working').hidden = true
    told('without').hidden = false
  })
}
