// Prometheus asks the server as docs/operators/metrics.md has it, and answers every question of the dashboard and of the
// alerts: a name or a label that is not there would leave a panel empty. Nightly, since Prometheus looks every second.
import { once } from 'node:events'
import { copyFileSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isNight } from '#test/run/night.ts'
import { openListener } from '#test/app/streaming-app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { freePort } from '#test/processes/free-port.ts'
import { runProcessSync, startProcess } from '#test/processes/processes.ts'
import { createServerProcess, projectRoot } from '#test/processes/server-process.ts'
import { often } from '#test/run/patience.ts'
import { useNetwork } from '#test/servers/network.ts'
import { exampleOf } from '#test/servers/proxies.ts'

const token = 'a-long-random-text'
const env = { PROMETHEUS_ENABLED: 'true', METRICS_TOKEN: token }
const missing =
  !isNight || (runProcessSync('prometheus', ['--version']).status !== 0 && process.env['CI'] !== 'true')

interface Panel {
  title: string
  targets: { expr: string; legendFormat: string }[]
}
const dashboard = JSON.parse(
  readFileSync(path.join(projectRoot, 'contrib/grafana/stonechat.json'), 'utf8'),
) as { panels: Panel[] }

interface Series {
  metric: Record<string, string>
}

/** Starts a Prometheus that asks these servers; answers how to ask it. */
async function startPrometheus(hosts: readonly string[]) {
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-prometheus-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const rules = 'stonechat.rules.yml'
  copyFileSync(path.join(projectRoot, 'contrib/prometheus', rules), path.join(folder, rules))
  const example = (await exampleOf('docs/operators/metrics.md', '# prometheus.yml'))
    .replace(/targets: \[.*\]/, `targets: [${hosts.map((host) => `'${host}'`).join(', ')}]`)
    .replace(/( +)static_configs:/, `$1authorization: { credentials: '${token}' }\n$&`)
  const config = path.join(folder, 'prometheus.yml')
  await writeFile(config, `global: { scrape_interval: 1s, evaluation_interval: 1s }\n${example}`)
  const address = `127.0.0.1:${await freePort()}`
  const child = startProcess(
    'prometheus',
    [`--config.file=${config}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`],
    { stdio: 'ignore' },
  )
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  return async (query: string): Promise<Json> => {
    const answer = await fetch(`http://${address}/api/v1/${query}`).catch(() => null)
    return answer?.ok ? ((await answer.json()) as Json).data : null
  }
}

describe.skipIf(missing)('what Prometheus has of a server', () => {
  const network = useNetwork({ env })

  test('answers every question of the dashboard with the labels of its legend, and all alerts can be told', async () => {
    const [home, away] = [await network.server('home'), await network.server('away')]
    const [alice, bob] = [await home.person('alice'), await away.person('bob')]
    const found = await home.find(alice, away.handleOf(bob))
    ;(await alice.post(`/api/v1/accounts/${found.id}/follow`)).ok()
    await network.settleAll()
    const port = await freePort()
    const server = await createServerProcess({
      prepared: true,
      env: { PROMETHEUS_ENABLED: 'true', METRICS_PORT: String(port) },
    })
    onTestFinished(() => server.remove())
    await server.start()
    const [wren] = (await server.people('wren')) as [Person]
    const stream = `${server.url.replace('http', 'ws')}/api/v1/streaming?stream=user&access_token=${wren.token}`
    const listener = await openListener(stream, [], {})
    onTestFinished(() => listener.close())

    const ask = await startPrometheus([home.domain, away.domain, `127.0.0.1:${port}`])
    const empty = async () => {
      // Something happens between two looks.
      await alice.say('Hello!')
      await bob.say('Hello too!')
      await wren.say('Hello three!')
      await network.settleAll()
      for (const reader of [alice, bob, wren]) (await reader.get('/api/v1/timelines/home')).ok()
      const questions = dashboard.panels.flatMap(({ title, targets }) =>
        targets.map(async ({ expr, legendFormat }) => {
          const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label as string)
          const series = ((await ask(`query?query=${encodeURIComponent(expr)}`))?.result ?? []) as Series[]
          const isThere = series.some(({ metric }) => labels.every((label) => metric[label] !== undefined))
          return isThere ? [] : [`${title}: ${expr}`]
        }),
      )
      return (await Promise.all(questions)).flat()
    }
    await expect.poll(empty, { ...often, interval: 1_000 }).toEqual([])
    const rules = (await ask('rules')).groups.flatMap((group: Json) => group.rules) as Json[]
    expect(rules.length).toBeGreaterThan(9)
    await expect
      .poll(
        async () =>
          (await ask('rules')).groups.flatMap((group: Json) => group.rules).map(({ health }: Json) => health),
        often,
      )
      .toEqual(rules.map(() => 'ok'))
  })
})
