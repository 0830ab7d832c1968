// The design tokens of client/tokens.css: type, space, colour and motion of pages and app alike.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { projectFolder } from '#lib/project/project.ts'

export const tokensCss = readFileSync(path.join(projectFolder, 'client/tokens.css'), 'utf8')

export interface Token {
  /** Without its dashes. */
  readonly name: string
  readonly value: string
}

/** All in their order, as they are where nobody wishes for another contrast or less motion. */
export const tokens: readonly Token[] = readTokens(tokensCss)

function readTokens(css: string): Token[] {
  const [root = ''] = /:root \{.*?^\}/ms.exec(css) ?? []
  return Array.from(root.matchAll(/^ {2}--([\w-]+):\s*([^;]+);/gm), ([, name = '', value = '']) => ({
    name,
    value,
  }))
}

/** The ground of pages, for what browsers draw around them. */
export const themeColors = readGround()

function readGround(): { light: string; dark: string } {
  const ground = tokens.find(({ name }) => name === 'ground')?.value ?? ''
  const [, light, dark] = /light-dark\((#\w+), (#\w+)\)/.exec(ground) ?? []
  if (light === undefined || dark === undefined) throw new Error('client/tokens.css has no --ground')
  return { light, dark }
}

/** Which property shows a token, by how its name begins; any other is a colour. */
const properties: Readonly<Record<string, string>> = {
  text: 'font-size',
  font: 'font-family',
  space: 'inline-size',
  target: 'inline-size',
  round: 'border-radius',
  shadow: 'box-shadow',
}

/** Returns a class for each token that shows it: no style may stand in a page itself. */
export function renderTokenStyles(): string {
  return tokens
    .map(({ name }) => {
      const property = properties[name.split('-')[0] ?? ''] ?? 'background'
      return `.token-${name} { ${property}: var(--${name}) }\n`
    })
    .join('')
}
