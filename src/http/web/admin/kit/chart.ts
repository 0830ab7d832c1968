// Pictures of numbers, drawn by the server. Each has a table with the same numbers for those who do not see it.
import { html } from 'hono/html'
import { textsIn } from '#lib/messages/texts.ts'
import type { Html } from '../../kit/html.ts'
import type { DeskCall } from './admin-page.ts'

export interface ChartPoint {
  /** `2026-11-22` */
  day: string
  value: number
}

const width = 300
const height = 64
const gap = 1

/** One bar for each day. `name`: what is counted. */
export function renderBars(call: DeskCall, name: string, points: readonly ChartPoint[]): Html {
  const highest = Math.max(1, ...points.map(({ value }) => value))
  const step = width / Math.max(1, points.length)
  const bars = points.map(({ value }, index) => {
    const tall = (value / highest) * height
    return html`<rect
      x="${(index * step).toFixed(2)}"
      y="${(height - tall).toFixed(2)}"
      width="${Math.max(gap, step - gap).toFixed(2)}"
      height="${tall.toFixed(2)}"
    />`
  })
  return html`<svg
      class="bars"
      viewBox="0 0 ${width} ${height}"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      ${bars}
    </svg>
    ${renderNumbers(call, name, points)}`
}

function renderNumbers(call: DeskCall, name: string, points: readonly ChartPoint[]): Html {
  const t = textsIn(call.language).pages.admin.dashboard
  const day = new Intl.DateTimeFormat(call.language, { dateStyle: 'medium', timeZone: 'UTC' })
  const number = new Intl.NumberFormat(call.language)
  return html`<details>
    <summary>${t.numbers}<span class="unseen">: ${name}</span></summary>
    <table class="numbers">
      <caption class="unseen">
        ${name}
      </caption>
      <thead>
        <tr>
          <th scope="col">${t.day}</th>
          <th scope="col" class="number">${name}</th>
        </tr>
      </thead>
      <tbody>
        ${points.map(
          (point) =>
            html`<tr>
              <th scope="row">${day.format(new Date(point.day))}</th>
              <td class="number">${number.format(point.value)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`
}

/** Parts of something, the largest first, each with a bar beside its number. */
export function renderShares(
  caption: string,
  parts: readonly { name: string; value: number; shown: string }[],
): Html {
  const highest = Math.max(1, ...parts.map(({ value }) => value))
  return html`<table class="shares">
    <caption class="unseen">
      ${caption}
    </caption>
    <tbody>
      ${parts.map(
        ({ name, value, shown }) =>
          html`<tr>
            <th scope="row"><bdi>${name}</bdi></th>
            <td class="bar">
              <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect width="${((value / highest) * 100).toFixed(1)}" height="8" />
              </svg>
            </td>
            <td class="number">${shown}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}
