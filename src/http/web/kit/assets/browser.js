// Has notifications pushed to this browser, and links into the fediverse opened here. What a browser cannot do is not offered.
const form = document.querySelector('form[data-key]')
const links = document.querySelector('button[data-links]')

if ('PushManager' in window && 'Notification' in window && navigator.serviceWorker) {
  form.parentElement.hidden = false
  form.addEventListener('submit', (event) => {
    // The second time it goes to the server.
    if (form.elements.endpoint.value !== '') return
    event.preventDefault()
    void subscribeAndSend()
  })
}

async function subscribeAndSend() {
  try {
    await subscribe()
    form.requestSubmit()
  } catch {
    form.parentElement.querySelector('[role="alert"]').hidden = false
  }
}

async function subscribe() {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('refused')
  await navigator.serviceWorker.register('/app/sw.js', { scope: '/' })
  const { pushManager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: form.dataset.key }
  const made = await pushManager.subscribe(options).catch(async () => {
    // One that was made for another key is of no use.
    await (await pushManager.getSubscription())?.unsubscribe()
    return await pushManager.subscribe(options)
  })
  const { endpoint, keys } = made.toJSON()
  Object.assign(form.elements.p256dh, { value: keys.p256dh })
  Object.assign(form.elements.auth, { value: keys.auth })
  Object.assign(form.elements.endpoint, { value: endpoint })
}

if (navigator.registerProtocolHandler) {
  links.parentElement.hidden = false
  links.addEventListener('click', () => {
    for (const scheme of links.dataset.links.split(' '))
      navigator.registerProtocolHandler(scheme, `${location.origin}/authorize_interaction?uri=%s`)
  })
}
