// The staff's desk works without this. With it: one key for each decision, all rows ticked at once, and a word when
// somebody else decided meanwhile.
const isTyping = (element) =>
  element.closest('input:not([type=checkbox]), textarea, select, [contenteditable]')

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  const key = CSS.escape(event.key)
  const target = document.querySelector(
    `[data-key="${key}"] :is(button, a), :is(button, a, input)[data-key="${key}"]`,
  )
  if (!target) return
  event.preventDefault()
  target.focus()
  target.click()
})

for (const cell of document.querySelectorAll('form.bulk thead .tick')) {
  const all = document.createElement('input')
  all.type = 'checkbox'
  all.setAttribute('aria-label', cell.textContent.trim())
  const boxes = () => cell.closest('table').querySelectorAll('tbody input[name="ids[]"]')
  all.addEventListener('change', () => {
    for (const box of boxes()) box.checked = all.checked
  })
  cell.replaceChildren(all)
}

const watch = document.querySelector('[data-watch]')
if (watch) {
  const look = async () => {
    if (document.hidden) return
    const answer = await fetch(watch.dataset.watch, { headers: { accept: 'application/json' } }).catch(
      () => null,
    )
    if (!answer?.ok) return
    const { mark, text } = await answer.json()
    if (mark === watch.dataset.mark) return
    watch.dataset.mark = mark
    watch.textContent = text
    watch.hidden = false
  }
  setInterval(look, 10_000)
  document.addEventListener('visibilitychange', look)
}
