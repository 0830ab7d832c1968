import type { Finding } from '#app/doctor/finding.ts'
import { jsonOption, type Command } from '../kit/command.ts'

const words: Record<Finding['state'], string> = { ok: 'ok  ', warning: 'warn', problem: 'FAIL' }

export const doctor: Command = {
  summary: 'Checks all that the server leans on, one line each; exit code 1 when something does not work',
  options: { json: jsonOption },
  async run({ env, flag }) {
    const { checkServer } = await import('#app/doctor/check-server.ts')
    const findings = await checkServer(env)
    if (flag('json')) console.log(JSON.stringify(findings))
    else
      for (const { state, part, text, advice } of findings)
        console.log(`${words[state]}  ${part.padEnd(10)}  ${text}${advice === null ? '' : `: ${advice}`}`)
    if (findings.some((finding) => finding.state === 'problem')) process.exitCode = 1
  },
}
