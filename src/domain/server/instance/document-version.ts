import { readFileSync } from 'node:fs'
import path from 'node:path'
import { projectFolder } from '#lib/project/project.ts'

interface PackageDescription {
  version: string
  repository?: string | { url: string }
}

const description = JSON.parse(
  readFileSync(path.join(projectFolder, 'package.json'), 'utf8'),
) as PackageDescription

/** The version of Mastodon whose API is spoken: clients read it as a number and decide by it. */
const spokenVersion = '4.7.0'

export const softwareName = 'stonechat'
/** The version of this software, as its package says. */
export const softwareVersion = description.version
/** As the instance documents and NodeInfo's neighbours show it. */
export const versionText = `${spokenVersion} (compatible; Stonechat ${softwareVersion})`
/** Integers by which clients learn what an API can do. */
export const apiVersions = { mastodon: 10, stonechat: 1 }

/** Where the source code is, as an address for people; null when the package does not say. */
export const sourceUrl = readSourceUrl()

function readSourceUrl(): string | null {
  const { repository } = description
  const url = typeof repository === 'string' ? repository : repository?.url
  return url === undefined ? null : url.replace(/^git\+/, '').replace(/\.git$/, '')
}
