// Lets people choose the part of a picture that is shown: a canvas in the shape it will have, moved by dragging or by
// three sliders, and sent in the place of the file. Animations stay whole, since a canvas has one picture.
for (const input of document.querySelectorAll('input[data-crop]')) prepare(input)

function prepare(input) {
  const crop = addCrop(input)
  crop.canvas.addEventListener('pointermove', (event) => drag(crop, event))
  for (const range of [crop.zoom, crop.across, crop.down]) range.addEventListener('input', () => draw(crop))
  input.addEventListener('change', () => void choose(crop))
  input.form.addEventListener('submit', (event) => {
    // Several pictures of one form are made one after the other: each sends the form again.
    if (crop.picture && !event.defaultPrevented) replaceFile(crop, event)
  })
}

function addCrop(input) {
  const [width, height] = input.dataset.crop.split('x').map(Number)
  const box = document.createElement('div')
  const canvas = document.createElement('canvas')
  Object.assign(box, { className: 'crop', hidden: true })
  Object.assign(canvas, { width, height })
  canvas.setAttribute('role', 'img')
  canvas.setAttribute('aria-label', input.dataset.preview)
  box.append(canvas)
  const zoom = addSlider(box, { words: input.dataset.zoom, min: 100, max: 400 })
  const across = addSlider(box, { words: input.dataset.across, min: 0, max: 100 })
  const down = addSlider(box, { words: input.dataset.down, min: 0, max: 100 })
  input.after(box)
  return { input, box, canvas, zoom, across, down, picture: null, type: '' }
}

function addSlider(box, { words, min, max }) {
  const label = document.createElement('label')
  const range = document.createElement('input')
  Object.assign(range, { type: 'range', min, max })
  label.append(words, range)
  box.append(label)
  return range
}

/** The part of the picture that is seen, and how much larger it is seen. */
function partOf({ canvas, picture, zoom, across, down }) {
  const least = Math.max(canvas.width / picture.width, canvas.height / picture.height)
  const scale = least * (zoom.value / 100)
  const [width, height] = [canvas.width / scale, canvas.height / scale]
  const x = ((picture.width - width) * across.value) / 100
  const y = ((picture.height - height) * down.value) / 100
  return { x, y, width, height, scale }
}

function draw(crop) {
  const { canvas, picture } = crop
  const { x, y, width, height } = partOf(crop)
  const context = canvas.getContext('2d')
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height)
}

function drag(crop, event) {
  const { canvas, picture, across, down } = crop
  if (!picture || event.buttons !== 1) return
  canvas.setPointerCapture(event.pointerId)
  const { width, height, scale } = partOf(crop)
  const perPixel = canvas.width / canvas.clientWidth / scale
  move(across, event.movementX * perPixel, picture.width - width)
  move(down, event.movementY * perPixel, picture.height - height)
  draw(crop)
}

function move(range, by, room) {
  if (room > 0) range.value = Number(range.value) - (by / room) * 100
}

async function choose(crop) {
  const [file] = crop.input.files
  crop.picture = null
  crop.box.hidden = true
  // What may move is sent as it is.
  if (!file || /gif|webp|apng/.test(file.type)) return
  crop.picture = await createImageBitmap(file).catch(() => null)
  if (!crop.picture) return
  crop.type = file.type === 'image/png' ? 'image/png' : 'image/jpeg'
  Object.assign(crop.zoom, { value: 100 })
  Object.assign(crop.across, { value: 50 })
  Object.assign(crop.down, { value: 50 })
  crop.box.hidden = false
  draw(crop)
}

function replaceFile(crop, event) {
  event.preventDefault()
  const { canvas, input, type } = crop
  const send = (blob) => {
    crop.picture = null
    const files = new DataTransfer()
    if (blob) files.items.add(new File([blob], `picture.${type.slice('image/'.length)}`, { type }))
    if (blob) input.files = files.files
    input.form.requestSubmit(event.submitter)
  }
  canvas.toBlob(send, type, 0.92)
}
