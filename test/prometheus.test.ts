/** The alerts with Prometheus's own tool, where it is installed (apt-get install prometheus); test/metrics.test.ts asks
 * a running server for every metric that they and the dashboard name. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const installed = spawnSync('promtool', ['--version']).status === 0
if (!installed) console.warn('There is no promtool on this machine: the alerts are read, but not carried out.')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}

const { groups } = parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

it('SERVER-D1: the alerts each has a severity and a sentence, and the guide says what to do', () => {
  const guide = readFileSync('docs/operating.md', 'utf8')
  for (const { alert, labels, annotations } of rules) {
    expect(['info', 'warning', 'critical'], alert).toContain(labels.severity)
    expect(annotations.summary.length, alert).toBeGreaterThan(20)
    expect(guide, alert).toContain(`\`${alert}\``)
  }
})

it.each(['deploy/prometheus/alerts.yaml', 'deploy/grafana/pilotwire.json'])(
  'SERVER-D1: %s added up what each node says of the whole installation',
  (file) => {
    const whole = /pilotwire_(charge_points|sessions_running|power_watts|webhook_(deliveries|oldest)|database_)\w*/
    const sums =
      readFileSync(file, 'utf8').match(/sum( by \([a-z, ]*\)| without \([a-z, ]*\))? ?\(pilotwire_\w+/g) ?? []
    expect(sums.length).toBeGreaterThan(1)
    // States of one node may be added up.
    expect(sums.filter((sum) => whole.test(sum) && !sum.startsWith('sum without (state)'))).toEqual([])
  },
)

it.skipIf(!installed).each([
  ['check', 'alerts.yaml'],
  ['test', 'alerts.test.yaml'],
])('SERVER-D1: promtool %s rules %s', (what, file) => {
  const { status, stdout, stderr } = spawnSync('promtool', [what, 'rules', `deploy/prometheus/${file}`])
  expect(`${stdout}${stderr}`).toContain('SUCCESS')
  expect(status).toBe(0)
})
