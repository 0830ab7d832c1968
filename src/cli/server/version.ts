import { softwareVersion, versionText } from '#domain/server/instance/document-version.ts'
import { jsonOption, type Command } from '../kit/command.ts'

export const version: Command = {
  summary: 'Prints the version of this software',
  options: { json: jsonOption },
  async run({ flag }) {
    if (flag('json')) console.log(JSON.stringify({ version: softwareVersion, api: versionText }))
    else console.log(`Stonechat ${softwareVersion}`)
  },
}
