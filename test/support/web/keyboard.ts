// A page gone through with the Tab key, as somebody does who has no pointer.
import type { Page } from 'playwright-core'
import { isNight } from '#test/run/night.ts'

/** Things of one page that are gone through: lists repeat themselves. */
const max = isNight ? 40 : 12

/**
 * What the keyboard comes by inside `main`, in the order of the document. Of radio buttons with one name it comes by one
 * alone, and fields of dates have several stops in them. Runs in the page.
 */
const watch = `(() => {
  const main = document.querySelector('main')
  const all = [...main.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
  const isStop = (one) => one.tabIndex >= 0 && !one.disabled && one.type !== 'hidden' && one.checkVisibility({ visibilityProperty: true })
    && (one.type !== 'radio' || one.checked || !all.some((other) => other.name === one.name && other.checked)
      && all.find((other) => other.name === one.name) === one)
  const stops = all.filter(isStop).slice(0, ${max})
  const seen = []
  const nameOf = (one) => one.outerHTML.replace(/\\s+/g, ' ').slice(0, 90)
  const look = (one) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
    const label = one.labels?.[0]
    const shown = [one, ...(label ? [label] : [])].some((part) => {
      const { width, height, bottom, top } = part.getBoundingClientRect()
      return width > 1 && height > 1 && bottom > 0 && top < innerHeight
    })
    return {
      isMarked: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 || boxShadow !== 'none',
      isShown: shown,
    }
  }
  document.addEventListener('focusin', ({ target }) => {
    if (!main.contains(target) || target === main) return
    seen.push({ place: stops.indexOf(target), name: nameOf(target), ...look(target) })
  })
  globalThis.keyboardPass = { stops: stops.map(nameOf), seen }
  return stops.reduce((sum, { type }) => sum + (/^(date|time|month|week)/.test(type) ? 7 : 1), 0)
})()`

interface Pass {
  stops: string[]
  seen: { place: number; name: string; isMarked: boolean; isShown: boolean }[]
}

/**
 * Presses Tab from the beginning of a page: first is the link to its content, and behind it everything that can be used
 * comes in its order, once, in sight and marked. Returns what is otherwise.
 */
export async function findKeyboardProblems(page: Page): Promise<string[]> {
  await page.evaluate(`document.activeElement?.blur(); getSelection().removeAllRanges(); scrollTo(0, 0)`)
  await page.keyboard.press('Tab')
  const first = await page.evaluate(`document.activeElement?.getAttribute('href')`)
  if (first !== '#main')
    return [`the first thing that Tab comes to is ${String(first)}, not the link to the content`]
  const presses = (await page.evaluate(watch)) as number
  await page.keyboard.press('Enter')
  for (let press = 0; press < presses; press++) await page.keyboard.press('Tab')
  const { stops, seen } = (await page.evaluate('globalThis.keyboardPass')) as Pass
  const found = stops
    .filter((_name, place) => !seen.some((one) => one.place === place))
    .map((name) => `Tab does not come to ${name}`)
  const places = seen.map(({ place }) => place)
  if (places.some((place, index) => index > 0 && place <= (places[index - 1] as number)))
    found.push(`Tab goes ${places.join(' ')}`)
  for (const { name, isMarked, isShown } of seen) {
    if (!isMarked) found.push(`nothing marks what has the focus: ${name}`)
    if (!isShown) found.push(`what has the focus is not in sight: ${name}`)
  }
  return found
}
